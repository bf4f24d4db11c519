"""YAML that tests hold their cases in."""

from pathlib import Path
from typing import Any

import yaml


def read_yaml(path: Path) -> Any:
    """Return what the file holds; parsed in C, since the cases are some megabytes that every process of a run reads."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
