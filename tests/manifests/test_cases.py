"""Every member's cases.yaml."""

from pathlib import Path
from typing import Any

import pytest

import knockon.manifests
from knockon.jobs.selftest.told import told
from knockon.manifests import MANIFESTS
from knockon.manifests.base import File
from tests.data import read_yaml

FOLDER = Path(knockon.manifests.__file__).parent


def cases() -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}: {case['name']}")
        for name in MANIFESTS
        for case in read_yaml(FOLDER / name / "cases.yaml")
    ]


@pytest.mark.parametrize(("member", "case"), cases())
def test_text_reads_as_its_case_says(member: str, case: dict[str, Any]) -> None:
    files = [File(case["path"], case["text"])]
    files += [File(path, text) for path, text in case.get("others", {}).items()]

    said = told(files)

    expected = [{"name": case["path"], "kind": member, **launch} for launch in case.get("launches", [])]
    several = len(expected) > 1 and member == "shell"
    for launch, read in zip(expected, said["launches"], strict=False):
        read.pop("at")
        if several:
            launch["name"] = read["name"]
        if member == "kubernetes":
            launch["kind"] = read["kind"]
    assert said["launches"] == expected
    assert said.get("problems", []) == case.get("problems", [])
