"""The cases of every kind of manifest: a text, and exactly what is started in it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import knockon.manifests
from knockon.curate.cases import read_cases
from knockon.jobs.selftest.outcome import Outcome, difference
from knockon.jobs.selftest.told import told
from knockon.manifests import MANIFESTS
from knockon.manifests.base import File


def manifest_outcomes() -> Iterator[Outcome]:
    """One outcome per case of every member."""
    folder = Path(next(iter(knockon.manifests.__path__)))
    for name in MANIFESTS:
        for case in read_cases(folder / name / "cases.yaml"):
            yield Outcome("manifests", name, case["name"], _problem(name, case))


def _problem(member: str, case: dict[str, Any]) -> str:
    files = [File(case["path"], case["text"]), *(File(path, text) for path, text in case.get("others", {}).items())]
    try:
        said = told(files)
    except Exception as error:  # noqa: BLE001  what breaks here is what the test is for
        return f"{type(error).__name__}: {error}"
    launches = [{key: value for key, value in one.items() if key != "at"} for one in said["launches"]]
    wanted = [_wanted(launch, read, member, case) for launch, read in _paired(case.get("launches", []), launches)]
    return difference(
        {"launches": wanted, "problems": case.get("problems", [])},
        {"launches": launches, "problems": said.get("problems", [])},
    )


def _paired(
    wanted: Sequence[dict[str, Any]], read: Sequence[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for index, launch in enumerate(wanted):
        yield launch, read[index] if index < len(read) else {}


def _wanted(launch: dict[str, Any], read: dict[str, Any], member: str, case: dict[str, Any]) -> dict[str, Any]:
    """What the case says, with what it leaves open taken from what was read."""
    said = {"name": case["path"], "kind": member, **launch}
    if member == "shell" and len(case.get("launches", [])) > 1:
        said["name"] = read.get("name")
    if member == "kubernetes":
        said["kind"] = read.get("kind")
    return said
