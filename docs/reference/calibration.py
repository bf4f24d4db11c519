"""The page of how often `diagnose` is right when it is how sure, from the results of the handed reports."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from docs.reference.markdown import bullets, page, table

RESULTS = Path(__file__).parents[2] / "tests" / "handed" / "diagnosis_results.json"
_BINS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_CONFIDENT = 0.7
_INTRO = (
    "Public reports whose cause was confirmed, each entered as readings and facts from what it says was observed. "
    "*Written* is how a careful person enters a report, *mechanical* is what the `readings` source makes of its "
    "observations alone. Rules and written readings were made with these reports at hand: of reports that nobody "
    "looked at, expect less."
)


def calibration_page() -> str:
    """Confidence against precision, as Markdown."""
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    parts = []
    for way, cases in results.items():
        parts += [f"## {way.capitalize()}", _summary(cases), _table(cases)]
    return page("Calibration of diagnose", _INTRO, "tests/handed/diagnosis_results.json", *parts)


def _summary(cases: Sequence[dict[str, Any]]) -> str:
    decidable = [one["right"] for one in cases if not one["insufficient"]]
    undecidable = [one["right"] for one in cases if one["insufficient"]]
    wrong = [one["confidence"] for one in _spoken(cases) if not one["right"]]
    sure = sum(confidence >= _CONFIDENT for confidence in wrong)
    return bullets(
        (
            f"{sum(decidable)} of {len(decidable)} decidable reports get their class.",
            f"{sum(undecidable)} of {len(undecidable)} undecidable ones are left so, naming what is missing.",
            f"A wall is named for {len(_spoken(cases))} of {len(cases)} reports.",
            f"{len(wrong)} of these are wrong, {sure} of them with a confidence of {_CONFIDENT} or more.",
        )
    )


def _table(cases: Sequence[dict[str, Any]]) -> str:
    rows = []
    for low, high in pairwise(_BINS):
        right = [one["right"] for one in _spoken(cases) if low <= one["confidence"] < high]
        share = f"{sum(right) / len(right):.0%}" if right else "–"
        rows.append([f"{low} to {high}", str(len(right)), str(sum(right)), share])
    return table(["confidence", "reports", "right", "precision"], rows)


def _spoken(cases: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in cases if one["confidence"] is not None]
