"""The cases of every format: a report, and exactly the lines it becomes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import knockon.formats
from knockon.curate.cases import read_cases
from knockon.formats import FORMATS
from knockon.jobs.selftest.outcome import Outcome, difference
from knockon.jobs.selftest.pages import report_of


def format_outcomes() -> Iterator[Outcome]:
    """One outcome per case of every member."""
    folder = Path(next(iter(knockon.formats.__path__)))
    for name in FORMATS:
        for case in read_cases(folder / name / "cases.yaml"):
            yield Outcome("formats", name, case["name"], _problem(name, case))


def _problem(name: str, case: dict[str, Any]) -> str:
    try:
        text = FORMATS[name].render(
            report_of(case), width=case.get("width", 60), is_coloured=case.get("coloured", False)
        )
    except Exception as error:  # noqa: BLE001  what breaks here is what the test is for
        return f"{type(error).__name__}: {error}"
    lines = text.splitlines()
    for index, (wanted, got) in enumerate(zip(case["lines"], lines, strict=False)):
        if wanted != got:
            return difference({f"line {index + 1}": wanted}, {f"line {index + 1}": got})
    return difference({"number of lines": len(case["lines"])}, {"number of lines": len(lines)})
