"""What came of one case, and how a difference is told."""

from collections.abc import Mapping
from dataclasses import dataclass

_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case, run or not."""

    family: str
    """The family, by its folder: "engines"; "rules" for the examples of rules."""
    member: str
    case: str
    problem: str
    """What is not as the case says; empty where all is."""
    not_run: str = ""
    """Why the case was not run: the extra that its member needs is not installed; empty where it was."""


def difference(wanted: Mapping[str, object], got: Mapping[str, object]) -> str:
    """The first value that is not as wanted, by its name; empty when all are."""
    for name in dict.fromkeys((*wanted, *got)):
        if wanted.get(name) != got.get(name):
            return f"{name} is {_short(got.get(name))}; expected {_short(wanted.get(name))}"
    return ""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
