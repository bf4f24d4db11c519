"""The course of a rule: what Prometheus means where all is told; what is not told makes nothing fire or leave."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.jobs.promtool import run
from knockon.rules.course import Course, CourseState, Episode, Patience, Told, course_of
from knockon.terms.truth import Truth

T, F, U = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN
LETTERS = {CourseState.INACTIVE: ".", CourseState.PENDING: "p", CourseState.FIRING: "F", CourseState.UNKNOWN: "?"}

TRUTHS = st.sampled_from([T, F, U])
TOLD = st.lists(st.tuples(st.integers(1, 60), TRUTHS, TRUTHS), min_size=1, max_size=30)
PATIENCE = st.builds(Patience, st.integers(0, 90), st.integers(0, 90))


def told(rows: list[tuple[int, Truth, Truth]]) -> list[Told]:
    """Instants from steps and truths."""
    at_s, found = 0.0, []
    for step, holds, stays in rows:
        at_s += step
        found.append(Told(at_s, holds, stays))
    return found


def course(word: str, patience: Patience, *, stays: str = "") -> Course:
    """The course of `T`, `F` and `?` in steps of 10 s; `stays` likewise, all F if not given."""
    truths = {"T": T, "F": F, "?": U}
    pairs = zip(word, stays or "F" * len(word), strict=True)
    return course_of([Told(10.0 * i, truths[a], truths[b]) for i, (a, b) in enumerate(pairs)], patience)


def letters(one: Course) -> str:
    """The states as letters."""
    return "".join(LETTERS[state] for state in one.states)


@pytest.mark.parametrize(
    ("word", "stays", "patience", "states"),
    [
        pytest.param("FTTFT", "", Patience(), ".FF.F", id="without a wait"),
        pytest.param("FTTTTF", "", Patience(20), ".ppFF.", id="for: fires at the instant that completes it"),
        pytest.param("TTFTTT", "", Patience(20), "pp.ppF", id="for: a break begins anew"),
        pytest.param("TFFFF", "", Patience(0, 20), "FFF..", id="keep: from the first instant that it is over"),
        pytest.param("TFTFF", "", Patience(0, 20), "FFFFF", id="keep: begins anew when it comes back"),
        pytest.param("TFFFT", "FTTFF", Patience(), "FFF.F", id="levels: stays on under the looser condition"),
        pytest.param("FFF", "TTT", Patience(), "...", id="levels: the looser condition alone never fires"),
        pytest.param("TT?TTT", "", Patience(20), "pp?ppF", id="gap: what was pending was not seen to hold"),
        pytest.param("TT??TF", "", Patience(), "FFFFF.", id="gap: what fires was not seen to end"),
        pytest.param("TF?F", "?F?F", Patience(), "F.?.", id="gap: over is over"),
        pytest.param("TF", "F?", Patience(), "FF", id="gap: whether it stays cannot be told"),
        pytest.param("???", "", Patience(), "???", id="nothing is told"),
    ],
)
def test_course_of_a_rule(word: str, stays: str, patience: Patience, states: str) -> None:
    assert letters(course(word, patience, stays=stays)) == states


def test_episodes_say_since_when_how_long_and_what_nobody_saw() -> None:
    found = course("FTTTF?TT??T", Patience(10))

    assert found.episodes == (Episode(10.0, 20.0, until_s=40.0), Episode(60.0, 70.0, unseen_s=30.0))
    assert (found.flaps, found.state, found.pending_since_s) == (1, CourseState.FIRING, None)
    assert course("FTT", Patience(60)).pending_since_s == 10.0


@given(TOLD, PATIENCE)
def test_episodes_and_states_tell_the_same(rows: list[tuple[int, Truth, Truth]], patience: Patience) -> None:
    instants = told(rows)
    found = course_of(instants, patience)

    for one, state in zip(instants, found.states, strict=True):
        fires = any(
            each.fired_s <= one.at_s and (each.until_s is None or one.at_s < each.until_s) for each in found.episodes
        )
        assert fires == (state is CourseState.FIRING)
    for each in found.episodes:
        held = [one.holds for one in instants if each.since_s <= one.at_s <= each.fired_s]
        assert set(held) == {T}
        assert each.fired_s - each.since_s >= patience.for_s
        assert 0 <= each.unseen_s <= instants[-1].at_s - each.since_s
    for earlier, later in pairwise(found.episodes):
        assert earlier.until_s is not None
        assert earlier.until_s <= later.since_s


@given(TOLD, PATIENCE)
def test_unknown_never_makes_a_rule_fire_or_leave(rows: list[tuple[int, Truth, Truth]], patience: Patience) -> None:
    instants = told(rows)
    found = course_of(instants, patience)

    before = CourseState.INACTIVE
    for one, state in zip(instants, found.states, strict=True):
        if one.holds is U:
            assert (state is CourseState.FIRING) == (before is CourseState.FIRING)
        before = state


@given(TOLD, PATIENCE, st.integers(2, 5))
def test_more_instants_between_equal_ones_change_nothing(
    rows: list[tuple[int, Truth, Truth]], patience: Patience, parts: int
) -> None:
    instants = told(rows)
    split: list[Told] = [instants[0]]
    for earlier, later in pairwise(instants):
        if (earlier.holds, earlier.stays) == (later.holds, later.stays):
            step_s = (later.at_s - earlier.at_s) / parts
            split += [Told(earlier.at_s + step_s * part, later.holds, later.stays) for part in range(1, parts)]
        split.append(later)

    whole, fine = course_of(instants, patience), course_of(split, patience)

    states = dict(zip((one.at_s for one in split), fine.states, strict=True))
    assert [states[one.at_s] for one in instants] == list(whole.states)
    assert [(one.since_s, one.until_s) for one in fine.episodes] == [
        (one.since_s, one.until_s) for one in whole.episodes
    ]
    assert fine.state is whole.state


# Values in steps of 15 s: over 10 enters, over 5 stays.
ROWS = (
    "12 12 12 12 12 3 3 3 3 3 3 3",
    "12 3 12 12 3 12 12 12 3 12 3 3",
    "7 12 12 12 7 7 7 3 3 3 3 12",
    "12 12 12 7 3 7 12 3 3 7 7 3",
    "3 3 12 12 12 3 7 3 3 3 3 7",
    "12 12 7 12 12 12 12 3 12 3 3 3",
)


@pytest.mark.usefixtures("promtool")
@pytest.mark.parametrize("levels", [False, True], ids=["one level", "enter and leave"])
def test_course_is_that_of_prometheus(tmp_path: Path, levels: bool) -> None:
    waits = [Patience(0, 0), Patience(30, 0), Patience(0, 30), Patience(15, 45)]
    rules, tests = [], []
    for number, wait in enumerate(waits):
        name = f"a{number}"
        fires = f'ALERTS{{alertname="{name}", alertstate="firing"}}'
        rule = {"alert": name, "expr": f"m > 10 or (m > 5 and on (row) {fires})" if levels else "m > 10"}
        rule |= {"for": f"{wait.for_s}s"} if wait.for_s else {}
        rule |= {"keep_firing_for": f"{wait.keep_firing_for_s}s"} if wait.keep_firing_for_s else {}
        rules.append(rule)
    questions = []
    for row, text in enumerate(ROWS):
        values = [int(word) for word in text.split()]
        for number, wait in enumerate(waits):
            instants = [
                Told(15.0 * i, Truth.of(value > 10), Truth.of(levels and value > 5)) for i, value in enumerate(values)
            ]
            for one, state in zip(instants, course_of(instants, wait).states, strict=True):
                answer = {CourseState.FIRING: 2, CourseState.PENDING: 1}.get(state)
                alerts = f'ALERTS{{alertname="a{number}", row="{row}"'
                questions.append(
                    {
                        "expr": f'sum({alerts}, alertstate="firing"}}) * 2 or sum({alerts}, alertstate="pending"}})',
                        "eval_time": f"{one.at_s:g}s",
                        "exp_samples": [{"labels": "{}", "value": answer}] if answer else [],
                    }
                )
    series = [{"series": f'm{{row="{row}"}}', "values": text} for row, text in enumerate(ROWS)]
    tests = [{"interval": "15s", "input_series": series, "promql_expr_test": questions}]
    (tmp_path / "rules.yaml").write_text(json.dumps({"groups": [{"name": "g", "interval": "15s", "rules": rules}]}))
    plan = tmp_path / "plan.yaml"
    plan.write_text(json.dumps({"rule_files": ["rules.yaml"], "evaluation_interval": "15s", "tests": tests}))

    done = run("test", "rules", str(plan))

    assert done.returncode == 0, (done.stderr or done.stdout)[:3000]
