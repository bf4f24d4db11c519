"""Laws of free names: order and spelling of words, order of observations and the scale of units change nothing."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.sources.readings.aliases import aliases
from knockon.sources.readings.names import may_be, named
from knockon.sources.readings.words import words
from tests.sources.vocabulary import shipped_vocabulary
from tests.texts import texts

# Each with a unit and one that is smaller by the factor behind it.
NAMES = {
    "kv cache usage": ("%", "ratio", 0.01),
    "p99 ttft": ("s", "ms", 1000),
    "waiting requests": ("req", "", 1),
    "board power": ("kW", "W", 1000),
    "output throughput": ("k tok/s", "tok/s", 1000),
    "gpu utilization": ("%", "ratio", 0.01),
    "all reduce share": ("%", "ratio", 0.01),
    "step time": ("s", "us", 1e6),
}
RUNS = [
    {"metric": "tpot_eager", "value": 44, "unit": "ms"},
    {"metric": "tpot_default", "value": 11, "unit": "ms"},
    {"metric": "step_time_1_gpu", "value": 1.2, "unit": "s"},
    {"metric": "step_time_2_gpus", "value": 2.0, "unit": "s"},
    {"metric": "allreduce_time", "value": 0.5, "unit": "s"},
    {"metric": "step_time", "value": 2.0, "unit": "s"},
    {"metric": "busbw", "value": 10, "unit": "GB/s"},
    {"metric": "link", "value": 400, "unit": "Gb/s"},
]


def _read(observations: Sequence[Mapping[str, Any]], **texts: str) -> Taken:
    text = json.dumps({"observations": list(observations), **texts})
    return read_source(text, filename="f", vocabulary=shipped_vocabulary(), source="readings")


def _values(taken: Taken) -> dict[tuple[str, str], object]:
    """What was taken, by name and replica."""
    return {(one.name, one.replica): one.value for one in taken.readings}


def _near(taken: Taken) -> dict[tuple[str, str], object]:
    return {key: pytest.approx(value, rel=1e-9) for key, value in _values(taken).items()}


@given(st.sampled_from(sorted(NAMES)), st.floats(0.01, 99), st.data())
def test_words_of_a_name_are_read_in_any_order_and_spelling(name: str, value: float, data: st.DataObject) -> None:
    unit = NAMES[name][0]
    spelled = data.draw(st.permutations(name.split()))
    between = data.draw(st.sampled_from([" ", "_", "-", "/", ". "]))
    case = data.draw(st.sampled_from([str, str.upper, str.title]))

    plainly = _read([{"metric": name, "value": value, "unit": unit}])
    otherwise = _read([{"metric": case(between.join(spelled)), "value": value, "unit": unit}])

    assert len(_values(plainly)) == 1
    assert _values(otherwise) == _values(plainly)


@given(st.sampled_from(sorted(NAMES)), st.floats(0.01, 99))
def test_the_scale_of_a_unit_changes_nothing(name: str, value: float) -> None:
    unit, smaller, factor = NAMES[name]

    assert _values(_read([{"metric": name, "value": value * factor, "unit": smaller}])) == _near(
        _read([{"metric": name, "value": value, "unit": unit}])
    )


@given(st.permutations(RUNS))
def test_the_order_of_observations_changes_nothing(runs: Sequence[Mapping[str, Any]]) -> None:
    assert _values(_read(runs)) == _near(_read(RUNS))


@given(st.sampled_from([1e-3, 1e3]))
def test_a_contrast_does_not_depend_on_the_unit_both_are_in(scale: float) -> None:
    unit = {1e-3: "s", 1e3: "us"}[scale]
    rescaled = [{**one, "value": one["value"] * scale, "unit": unit} if one["unit"] == "ms" else one for one in RUNS]

    assert _values(_read(rescaled)) == _near(_read(RUNS))


@given(st.lists(st.tuples(texts(max_size=12), texts(max_size=12)), max_size=4), texts(max_size=40))
def test_any_name_and_value_is_read_or_noted(pairs: Sequence[tuple[str, str]], text: str) -> None:
    taken = _read([{"metric": name, "value": value} for name, value in pairs], config=text, symptom=text)

    assert all(one.name in shipped_vocabulary().names for one in taken.readings)


AMOUNTS = st.sampled_from(["1e308", "5e-324", "-1", "0", "1e999", "20-30", "9 -> 0", "> 5", "nan", "1e308-1e308"])


@given(st.lists(AMOUNTS, min_size=len(RUNS), max_size=len(RUNS)))
def test_no_amount_is_too_large_or_small_to_be_read(amounts: Sequence[str]) -> None:
    taken = _read([{**one, "value": amount} for one, amount in zip(RUNS, amounts, strict=True)])

    assert all(math.isfinite(one.value) for one in taken.readings if isinstance(one.value, float))


def test_a_word_that_is_not_known_makes_another_name() -> None:
    vocabulary = shipped_vocabulary()

    assert named("kv cache usage of tenant blue", vocabulary) == ()
    assert may_be("tenant blue ttft", vocabulary) == ()


def test_every_listed_name_means_its_reading_by_its_words_too() -> None:
    """Where the words of two listed names are the same, the readings are as well, or neither is taken by its words."""
    several = {
        " ".join(sorted(bag)): sorted({one.reading for one in held if not one.needs_unit})
        for bag, held in aliases().by_words.items()
    }

    assert {bag: readings for bag, readings in several.items() if len(readings) > 1} == {}


def test_every_reading_of_the_tables_is_in_the_vocabulary() -> None:
    table, known = aliases(), shipped_vocabulary().names
    said = {
        *(one.reading for held in table.by_words.values() for one in held),
        *(one for candidates in table.candidates_by_words.values() for one in candidates),
        *(one.reading for one in table.quotients),
        *(one.reading for one in table.changes),
        *table.statements.values(),
        *table.spreads.values(),
        *table.growths.values(),
        *(one.reading for held in table.texts.values() for one in held),
        *table.config.sizes.values(),
        *table.config.flags.values(),
        *table.config.counted.values(),
    }

    assert said - known.keys() == set()
    assert all(any(name.startswith(f"{family}_p") for name in known) for family in words().families.values())


@pytest.mark.parametrize("symptom", ["no OOM so far", "would run out of memory", "fixed: out of memory", "the boom"])
def test_a_statement_that_is_denied_says_nothing_of_it(symptom: str) -> None:
    taken = _read([], symptom=symptom)

    assert ("out_of_memory_seen", "") not in {key for key, value in _values(taken).items() if value is not False}


def test_a_statement_of_training_is_not_taken_of_serving() -> None:
    said = "GPU idle"

    assert _values(_read([], symptom=said, stage="inference")) == {("device_headroom_seen", ""): True}
    assert _values(_read([], symptom=said, stage="training")) == {("low_busy_reported", ""): True}
