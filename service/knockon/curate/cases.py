"""The cases that members of families ship beside their code. Written by us: a mistake in them is our fault.

Not for what curators write: cases may hold what the strict reader of document.py refuses, such as control characters.
"""

from pathlib import Path
from typing import Any

import yaml


def read_cases(file: Path) -> Any:
    """The content of one file of cases."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(file.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - either one is a safe loader
