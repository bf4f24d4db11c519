"""The cases of every source of readings: a text, and exactly what must be read of it."""

from collections.abc import Iterator
from math import isclose
from pathlib import Path
from typing import Any

import knockon.sources
from knockon.curate.cases import read_cases
from knockon.expr.vocabulary import Vocabulary
from knockon.jobs.selftest.outcome import Outcome, difference
from knockon.sources import SOURCES, read_source
from knockon.sources.base import Taken
from knockon.terms.errors import KnockonError
from knockon.terms.reading import Reading

# Rates are quotients: the last bit of a float is nobody's claim.
_NEAR = 1e-12


def source_outcomes(vocabulary: Vocabulary) -> Iterator[Outcome]:
    """One outcome per case of every member."""
    folder = Path(next(iter(knockon.sources.__path__)))
    for name in SOURCES:
        for case in read_cases(folder / name.replace("-", "_") / "cases.yaml"):
            yield Outcome("sources", name, case["name"], _problem(name, case, vocabulary))


def _problem(source: str, case: dict[str, Any], vocabulary: Vocabulary) -> str:
    try:
        taken = read_source(
            case["text"],
            filename="case",
            vocabulary=vocabulary,
            source=source,
            before=case.get("before"),
            elapsed_s=case.get("elapsed_s"),
        )
    except KnockonError as error:
        return difference({"error": case.get("error")}, {"error": str(error)})
    except Exception as error:  # noqa: BLE001  what breaks here is what the test is for
        return f"{type(error).__name__}: {error}"
    return difference({"error": case.get("error")}, {"error": None}) or _difference(taken, case)


def _difference(taken: Taken, case: dict[str, Any]) -> str:
    wanted = case["readings"]
    whole = difference(
        {
            "readings": [(one["name"], one.get("replica", "")) for one in wanted],
            "facts": case.get("facts", {}),
            "engine": case.get("engine"),
            "notes": case.get("notes", []),
        },
        {
            "readings": [(reading.name, reading.replica) for reading in taken.readings],
            "facts": {fact.name: fact.value for fact in taken.facts},
            "engine": taken.engine,
            "notes": [note.en for note in taken.notes],
        },
    )
    return whole or next(filter(None, map(_reading, taken.readings, wanted)), "")


def _reading(reading: Reading, wanted: dict[str, Any]) -> str:
    state = next((state for state in ("missing", "invalid") if state in wanted), "measured")
    if state == "measured" and not _is_near(reading.value, wanted["value"]):
        return f"{reading.name} is {reading.value!r}; expected {wanted['value']!r}"
    return difference({"state": state, "why": wanted.get(state, "")}, {"state": reading.state, "why": reading.why})


def _is_near(value: object, wanted: object) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool) or not isinstance(value, int | float):
        return value is wanted or (type(value) is type(wanted) and value == wanted)
    return isinstance(wanted, int | float) and isclose(value, wanted, rel_tol=_NEAR)
