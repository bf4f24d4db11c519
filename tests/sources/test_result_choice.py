"""Several runs: which is judged, where throughput stops growing, and what is not to be told."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.sources.base import Taken
from knockon.sources.result_choice import judged, knee_of, sweep_of
from knockon.terms.errors import NotFound
from knockon.terms.reading import Reading
from knockon.terms.run import Run


def _run(load: float | None, tokens: float, *, latency: float = 1.0, length: float = 100.0, subject: str = "") -> Run:
    readings = (
        Reading("output_tokens_per_s", tokens, "f"),
        Reading("e2e_s_p50", latency, "f"),
        Reading("prompt_tokens_mean", length, "f"),
    )
    name = "" if load is None else f"concurrency {load:g}"
    return Run(name, readings, load, "" if load is None else "concurrency_count", subject)


def _judged(*runs: Run, run: str | None = None) -> Taken:
    return judged(Taken((), runs=runs, filename="f"), run)


def _flat(taken: Taken) -> object:
    return next((one.value for one in taken.readings if one.name == "throughput_flat_over_load"), None)


RISING = (_run(1, 100), _run(2, 198), _run(4, 390), _run(8, 760))
SATURATED = (*RISING[:3], _run(8, 400, latency=2.0), _run(16, 402, latency=4.0))


def test_the_highest_load_is_judged_wherever_it_stands() -> None:
    taken = _judged(RISING[3], RISING[0], RISING[2])
    assert taken.readings[0].value == 760
    assert taken.notes[0].en == (
        "f has 3 runs (concurrency 8, concurrency 1, concurrency 4): run 1 (concurrency 8) is judged,"
        " --run chooses another"
    )


@pytest.mark.parametrize(("name", "tokens"), [("concurrency 2", 198), ("2", 198), ("4", 760)])
def test_a_run_is_chosen_by_name_or_number(name: str, tokens: float) -> None:
    assert _judged(*RISING, run=name).readings[0].value == tokens


@pytest.mark.parametrize("name", ["5", "0", "concurrency 3", "", "9" * 400, "²"])
def test_a_run_that_is_none_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        _judged(*RISING, run=name)
    assert "runs: concurrency 1, concurrency 2, concurrency 4, concurrency 8, or 1 to 4" in str(caught.value)


def test_another_choice_takes_the_first_ones_notes_back() -> None:
    first = _judged(*SATURATED)
    again = judged(first, "concurrency 1")
    assert again == _judged(*SATURATED, run="concurrency 1")
    assert judged(again) == first


def test_one_run_says_nothing_of_other_loads() -> None:
    taken = _judged(RISING[0])
    assert (taken.readings, taken.notes) == (RISING[0].readings, ())


def test_flat_throughput_has_a_knee_and_rising_one_none() -> None:
    assert _flat(_judged(*RISING)) is False
    taken = _judged(*SATURATED)
    assert _flat(taken) is True
    assert taken.notes[-1].en == "throughput stops growing at concurrency 4: 390 there, 402 at concurrency 16"


def test_a_last_step_without_gain_is_a_knee_only_where_latency_grew() -> None:
    assert _flat(_judged(*RISING[:3], _run(8, 395, latency=1.0))) is False
    assert _flat(_judged(*RISING[:3], _run(8, 395, latency=1.5))) is True


def test_two_loads_are_too_few_to_tell() -> None:
    assert _flat(_judged(_run(1, 100), _run(8, 100, latency=9.0))) is None


def test_runs_of_unlike_lengths_are_no_sweep() -> None:
    taken = _judged(_run(1, 100), _run(2, 100, length=200), _run(4, 100))
    assert _flat(taken) is None
    assert taken.notes[-1].en == "the runs differ in more than their load, or do not say it: no knee is looked for"


def test_runs_that_do_not_say_their_load_are_judged_by_the_last() -> None:
    taken = _judged(replace(_run(None, 1), name="a"), replace(_run(None, 2), name="b"))
    assert taken.readings[0].value == 2


def test_runs_of_several_subjects_are_judged_when_one_is_named() -> None:
    runs = (_run(1, 100, subject="m"), _run(2, 200, subject="n"))
    undecided = _judged(*runs)
    assert undecided.readings == ()
    assert undecided.notes[0].en == "f has 2 runs of 2 subjects (m; n): none is judged, --run 1 to 2 names one"
    assert judged(undecided, "1").readings[0].value == 100


LOADS = st.lists(st.integers(1, 20).map(lambda power: 2.0**power), min_size=3, max_size=8, unique=True)


@given(LOADS, st.floats(1, 1e6))
def test_throughput_in_proportion_to_load_has_no_knee(loads: list[float], each: float) -> None:
    assert knee_of(sweep_of([_run(load, load * each) for load in loads])) is None


@given(LOADS, st.floats(1, 1e6), st.data())
def test_capped_throughput_has_its_knee_at_the_cap(loads: list[float], each: float, data: st.DataObject) -> None:
    ordered = sorted(loads)
    cap = data.draw(st.sampled_from(ordered[:-1]))
    runs = [_run(load, min(load, cap) * each) for load in data.draw(st.permutations(loads))]
    knee = knee_of(sweep_of(runs))
    assert knee is not None
    assert knee.load == cap
