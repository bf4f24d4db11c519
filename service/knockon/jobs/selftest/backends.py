"""The agreement cases of the language, on every back-end."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import knockon.backends
from knockon.backends import BACKENDS
from knockon.backends.base import Backend
from knockon.curate.cases import read_cases
from knockon.expr.check import check_condition
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.jobs.selftest.outcome import Outcome, difference
from knockon.terms.errors import ExpressionError, KnockonError
from knockon.terms.unit import parse_unit

_NAMES = "names.yaml"


def backend_outcomes() -> Iterator[Outcome]:
    """One outcome per back-end and case. A back-end whose extra is not installed is not run, and says what it needs."""
    folder = Path(next(iter(knockon.backends.__path__))) / "cases"
    vocabulary = _vocabulary(read_cases(folder / _NAMES))
    sections = [
        section for file in sorted(folder.glob("*.yaml")) if file.name != _NAMES for section in read_cases(file)
    ]
    for name, backend in BACKENDS.items():
        missing = _missing_extra(backend, vocabulary)
        for section in sections:
            for case in section["cases"]:
                label = f"{section['section']}: {case['expression']}"
                problem = "" if missing else _problem(backend, case, vocabulary)
                yield Outcome("backends", name, label, problem, missing)


def _missing_extra(backend: Backend, vocabulary: Vocabulary) -> str:
    """What has to be installed before this back-end can be asked at all; empty when nothing has."""
    try:
        backend.compile([], vocabulary)
    except KnockonError as error:
        return str(error) if error.code == "extra-missing" else ""
    except Exception:  # noqa: BLE001  every case will tell it, with its own words
        return ""
    return ""


def _vocabulary(entries: dict[str, Any]) -> Vocabulary:
    return Vocabulary(
        {
            name: NameInfo(
                name=name,
                kind="threshold" if name.startswith("threshold.") else "fact",
                type=entry["type"],
                unit=parse_unit(entry.get("unit", "1")),
                minimum=entry.get("min"),
                maximum=entry.get("max"),
                options=tuple(entry.get("options", ())),
            )
            for name, entry in entries.items()
        }
    )


def _problem(backend: Backend, case: dict[str, Any], vocabulary: Vocabulary) -> str:
    text = case["expression"]
    try:
        node = parse(text)
        check_condition(node, vocabulary, text=text)
        (truth,) = backend.compile([node], vocabulary).judge(case.get("values", {}))
    except ExpressionError as error:
        wanted = {"error": case.get("error"), "at": case.get("at")}
        return difference(wanted, {"error": error.code, "at": [error.span.start, error.span.end]})
    except Exception as error:  # noqa: BLE001  what breaks here is what the test is for
        return f"{type(error).__name__}: {error}"
    wanted_truth = str(case["truth"]).lower() if "truth" in case else None
    return difference({"truth": wanted_truth}, {"truth": truth.name.lower()})
