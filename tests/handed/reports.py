"""The handed reports with what a careful person enters of each."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.data import read_yaml

ENTERED = Path(__file__).with_name("diagnosis_cases.yaml")


def handed_reports(shared_dir: Path) -> Mapping[str, Mapping[str, Any]]:
    """Id → the report and its entry; the test is skipped where the reports are not at hand."""
    path = shared_dir / "cases" / "diagnosis.jsonl"
    if not path.is_file():
        pytest.skip(f"the reports are not among the handed cases: {path}")
    entered = read_yaml(ENTERED)
    raw = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {one["id"]: {**one, **entered[one["id"]]} for one in raw}
