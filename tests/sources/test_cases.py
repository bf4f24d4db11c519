"""Every member's cases.yaml: a text, and exactly what must be read of it."""

from pathlib import Path
from typing import Any

import pytest

import knockon.sources
from knockon.sources import SOURCES, read_source
from knockon.sources.base import Taken
from knockon.terms.errors import KnockonError
from knockon.terms.reading import Reading
from tests.data import read_yaml
from tests.sources.vocabulary import shipped_vocabulary

FAMILY = Path(knockon.sources.__file__).parent
FOLDERS = {name: FAMILY / name.replace("-", "_") for name in SOURCES}


CASES = [
    pytest.param(name, case, id=f"{name}: {case['name']}")
    for name, folder in FOLDERS.items()
    for case in read_yaml(folder / "cases.yaml")
]
RIGHT = [case for case in CASES if "error" not in case.values[1]]


def _read(source: str | None, case: dict[str, Any]) -> Taken:
    return read_source(
        case["text"],
        filename="case",
        vocabulary=shipped_vocabulary(),
        source=source,
        before=case.get("before"),
        elapsed_s=case.get("elapsed_s"),
    )


def _matches(reading: Reading, wanted: dict[str, Any]) -> None:
    state = next((state for state in ("missing", "invalid") if state in wanted), "measured")
    assert (reading.name, reading.replica, reading.state) == (wanted["name"], wanted.get("replica", ""), state)
    assert reading.value == (pytest.approx(wanted["value"], rel=1e-12) if state == "measured" else None)
    assert isinstance(reading.value, bool) == isinstance(wanted.get("value"), bool)
    assert reading.why == wanted.get(state, "")
    for key in ("origin", "raw", "at_s", "quality"):
        if key in wanted:
            assert getattr(reading, key) == wanted[key], key


@pytest.mark.parametrize(("source", "case"), CASES)
def test_text_is_read_as_its_case_says(source: str, case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(KnockonError) as caught:
            _read(source, case)
        assert str(caught.value) == case["error"]
        return
    taken = _read(source, case)
    assert [(reading.name, reading.replica) for reading in taken.readings] == [
        (wanted["name"], wanted.get("replica", "")) for wanted in case["readings"]
    ]
    for reading, wanted in zip(taken.readings, case["readings"], strict=True):
        _matches(reading, wanted)
    assert {fact.name: fact.value for fact in taken.facts} == case.get("facts", {})
    assert taken.engine == case.get("engine")
    assert [note.en for note in taken.notes] == case.get("notes", [])
    assert all(note.zh for note in taken.notes)
    _has_series(taken, case)


def _has_series(taken: Taken, case: dict[str, Any]) -> None:
    """Every series a case names is there; an empty list means that there is none. Times are from the first one on."""
    if "series" in case and not case["series"]:
        assert taken.series == ()
    for wanted in case.get("series", ()):
        key = (wanted["name"], wanted.get("replica", ""))
        [found] = [one for one in taken.series if (one.name, one.replica) == key]
        assert [at_s - found.at_s[0] for at_s in found.at_s] == pytest.approx(wanted["at_s"])
        assert list(found.values) == pytest.approx(wanted["values"])


@pytest.mark.parametrize(("source", "case"), RIGHT)
def test_text_of_a_case_shows_its_source(source: str, case: dict[str, Any]) -> None:
    assert _read(None, case) == _read(source, case)


def test_every_folder_of_the_family_is_a_source_with_cases() -> None:
    folders = {path.parent for path in FAMILY.glob("*/cases.yaml")}
    assert folders == set(FOLDERS.values()) == {path.parent for path in FAMILY.glob("*/source.py")}
