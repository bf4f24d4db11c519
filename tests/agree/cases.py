"""Reads backends/cases/: one vocabulary, and expressions with the verdict or the refusal each of them gets."""

from dataclasses import dataclass
from pathlib import Path

from knockon import backends
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.unit import parse_unit
from knockon.terms.words import Scalar
from tests.data import read_yaml

FOLDER = Path(backends.__file__).parent / "cases"


@dataclass(frozen=True, slots=True)
class Case:
    """One expression; exactly one of `truth` ("true", "false", "unknown") and `error` (a problem's code) is there."""

    section: str
    expression: str
    values: dict[str, Scalar]
    truth: str
    error: str
    at: tuple[int, int]
    unsupported: tuple[str, ...] = ()
    """Back-ends that have no words for it."""

    @property
    def id(self) -> str:
        said = " ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.section}: {self.expression} [{said}]".encode("ascii", "backslashreplace").decode()


def vocabulary() -> Vocabulary:
    """The names the cases use."""
    entries = read_yaml(FOLDER / "names.yaml")
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


def cases() -> list[Case]:
    """All cases of all files, in order."""
    return [
        _case(section["section"], entry)
        for path in sorted(FOLDER.glob("*.yaml"))
        if path.name != "names.yaml"
        for section in read_yaml(path)
        for entry in section["cases"]
    ]


def _case(section: str, entry: dict[str, object]) -> Case:
    expected = {"expression", "values", "truth"} if "truth" in entry else {"expression", "error", "at"}
    assert set(entry) - {"unsupported"} == expected, f"{entry} has other keys than {expected}"
    truth = entry.get("truth", "")
    values, at, unsupported = entry.get("values", {}), entry.get("at", [0, 0]), entry.get("unsupported", [])
    assert isinstance(values, dict)
    assert isinstance(at, list)
    assert isinstance(unsupported, list)
    return Case(
        section=section,
        expression=str(entry["expression"]),
        values=values,
        truth=str(truth).lower(),
        error=str(entry.get("error", "")),
        at=(at[0], at[1]),
        unsupported=tuple(unsupported),
    )
