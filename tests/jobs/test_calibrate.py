"""profile calibrate: levels of a healthy history, levels at the knee of a sweep, refusals, the back-test, the file."""

import random
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from knockon.assets import catalog_dir, rules_dir
from knockon.curate.lint import lint_tree
from knockon.jobs.calibrate.calibrate import CalibrateAnswer, Wanted, calibrate
from knockon.jobs.calibrate.written import Key
from knockon.jobs.diagnose import diagnose
from knockon.jobs.fmt import fmt
from knockon.jobs.profiles import profile_named
from knockon.rules.profile import Profile
from knockon.sources.base import Taken
from knockon.terms.errors import CurationError, IntakeError, NotFound
from knockon.terms.fact import Fact, Origin
from knockon.terms.reading import Reading
from knockon.terms.run import Run
from knockon.terms.series import Series
from knockon.terms.truth import Truth
from tests.shipped import shipped

STEP_S = 60.0
BEGAN_S = 1_795_953_600.0
KEY = Key(
    "mine", hardware="H100", engine="vllm", model="org/model", load="chat", load_when="prompt_tokens_p95 < 4000token"
)
# Not many more than a 0.99 quantile takes.
COUNT = 400
LOADS = (1, 2, 4, 8, 16, 32, 48, 64, 96, 128)


def steady(seed: int, count: int, middle: float, spread: float) -> list[float]:
    """A reading of a healthy time."""
    source = random.Random(seed)
    return [min(1.0, max(0.0, source.gauss(middle, spread))) for _ in range(count)]


def history(**values: list[float]) -> Taken:
    """A table of readings in steps of STEP_S."""
    series = []
    for name, row in values.items():
        times = tuple(BEGAN_S + STEP_S * index for index in range(len(row)))
        series.append(Series(name, times, tuple(row), "a table"))
    readings = tuple(Reading(one.name, one.values[-1], "a table") for one in series)
    return Taken(readings, series=tuple(series))


def healthy(count: int = COUNT, middle: float = 0.93) -> Taken:
    """A pool that is well used and never thrashes: over the level of the default profile."""
    return history(
        kv_cache_usage_ratio=steady(1, count, middle, 0.01),
        preemptions_per_s=[0.0] * count,
        memory_bandwidth_utilization_ratio=steady(2, count, 0.4, 0.05),
    )


def sweep(loads: tuple[int, ...] = LOADS, knee: float = 40, **more: float) -> Taken:
    """Runs of a deployment whose throughput stops growing at the knee, where its pool is 92 % full."""
    runs = []
    for load in loads:
        values = {
            "concurrency_count": float(load),
            "output_tokens_per_s": 50.0 * min(load, knee),
            "kv_cache_usage_ratio": min(1.0, 0.52 + 0.01 * load),
            "memory_bandwidth_utilization_ratio": 0.75 * min(load, knee) / knee,
            "compute_utilization_ratio": 0.3,
            **more,
        }
        readings = tuple(Reading(name, value, "a run") for name, value in values.items())
        runs.append(Run(f"concurrency {load}", readings, float(load), "concurrency_count"))
    return Taken((), runs=tuple(runs))


def calibrated(taken: Taken, *, share: float = 0.99, only: tuple[str, ...] = (), key: Key = KEY) -> CalibrateAnswer:
    """The answer under the shipped rules."""
    return calibrate(shipped(), [taken], Wanted(key, share, only, today="2026-11-30"))


@cache
def calm() -> CalibrateAnswer:
    """The answer of the healthy time, which most tests look at."""
    return calibrated(healthy())


def test_level_is_what_a_healthy_time_hardly_ever_passes() -> None:
    answer = calm()

    found = {one.level.threshold: one for one in answer.levels}
    assert set(found) == {"memory_occupancy_high", "bandwidth_high"}
    memory = found["memory_occupancy_high"]
    values = steady(1, COUNT, 0.93, 0.01)
    assert memory.low <= sorted(values)[395] <= memory.high <= memory.new < memory.high + 0.0002
    assert sum(value > memory.new for value in values) <= 4
    assert (memory.samples, memory.old, memory.level.side) == (COUNT, 0.9, "above")
    assert answer.profile.thresholds["memory_occupancy_high"].provenance == "history"
    assert answer.profile.thresholds["memory_occupancy_high"].checked == "2026-11-29"


def test_back_test_says_how_often_each_rule_would_have_fired() -> None:
    test = calm().back_test

    rows = {row.rule.id: row for row in test.rules}
    assert test.instants == COUNT
    assert rows["D001"].old.instants > COUNT - 10
    assert rows["D001"].old.first[0] <= BEGAN_S + 10 * STEP_S
    # Passed now and then, and never for long enough.
    assert (rows["D001"].new.times, rows["D001"].new.instants) == (0, 0)


def test_level_under_which_a_wall_begins_is_on_the_other_side() -> None:
    answer = calibrated(history(success_ratio=steady(3, COUNT, 0.97, 0.004)), only=("success_low",))

    [level] = answer.levels
    assert (level.level.side, level.new <= level.low) == ("below", True)
    assert sum(value < level.new for value in steady(3, COUNT, 0.97, 0.004)) <= 4


def test_level_that_is_tighter_than_before_is_said_to_be() -> None:
    answer = calm()

    assert [note.en.partition(":")[0] for note in answer.notes] == ["bandwidth_high"]


def test_too_few_values_are_refused_with_the_number_it_takes() -> None:
    with pytest.raises(IntakeError) as caught:
        calibrated(healthy(count=200))

    assert "a 0.99 quantile with its interval takes 368" in str(caught.value)
    assert str(caught.value).endswith("give a longer healthy time, or a lower --quantile")
    assert calibrated(healthy(count=200), share=0.9).levels


def test_values_that_never_move_say_nothing() -> None:
    with pytest.raises(IntakeError, match="are all the same"):
        calibrated(history(memory_bandwidth_utilization_ratio=[0.4] * 400))


def test_reading_that_comes_to_its_end_by_itself_keeps_its_level() -> None:
    values = [1.0 if index % 3 else 0.5 for index in range(400)]
    answer = calibrated(
        history(kv_cache_usage_ratio=values, memory_bandwidth_utilization_ratio=steady(4, 400, 0.4, 0.05))
    )

    [kept] = [one for one in answer.kept if one.threshold == "memory_occupancy_high"]
    assert kept.why == "kv_cache_usage_ratio comes to its greatest value, 1, by itself"


def test_rule_that_still_fires_says_that_the_time_was_not_healthy() -> None:
    # Over a third of the time the pool thrashes, whatever the level.
    count = 400
    preempting = [2.0 if index > 250 else 0.0 for index in range(count)]
    usage = [0.99 if index > 250 else value for index, value in enumerate(steady(1, count, 0.6, 0.05))]
    answer = calibrated(
        history(
            kv_cache_usage_ratio=usage,
            preemptions_per_s=preempting,
            memory_bandwidth_utilization_ratio=steady(2, count, 0.4, 0.05),
        ),
        only=("bandwidth_high",),
    )

    assert any("D008" in note.en and "in which all was well" in note.en for note in answer.notes)


def test_level_of_a_sweep_is_that_of_its_knee() -> None:
    answer = calibrated(sweep())

    assert answer.method == "sweep"
    assert answer.knee is not None
    assert (answer.knee.load, answer.knee_of) == (pytest.approx(40), "output_tokens_per_s")
    found = {one.level.threshold: one for one in answer.levels}
    assert set(found) == {"memory_occupancy_high"}
    assert found["memory_occupancy_high"].new == pytest.approx(0.92, rel=0.001)
    threshold = answer.profile.thresholds["memory_occupancy_high"]
    assert (threshold.samples, threshold.provenance, threshold.checked) == (10, "measured", "2026-11-30")
    kept = {one.threshold: one.why for one in answer.kept}
    assert "it does not go with the load" in kept["compute_high"]
    # Which wall made the knee is not known, so nothing says that this level is too high.
    assert kept["bandwidth_high"] == "it is 0.675 at the knee, which its level 0.7 allows"


def test_back_test_of_a_sweep_names_the_loads() -> None:
    test = calibrated(sweep()).back_test

    rows = {row.rule.id: row for row in test.rules}
    assert test.instants == len(LOADS)
    assert rows["D001"].old.first == rows["D001"].new.first == (48.0, 64.0, 96.0)
    assert rows["D001"].new.times == 4


@pytest.mark.parametrize(
    ("taken", "message"),
    [
        pytest.param(sweep(knee=1000), "has no knee: throughput grows in one straight line", id="no knee"),
        pytest.param(sweep(output_tokens_per_s=0.0), "has no knee: nothing came through at any load", id="nothing"),
        pytest.param(sweep(output_tokens_per_s=900.0), "has no knee: throughput does not grow", id="flat"),
        pytest.param(sweep(loads=(1, 2, 64, 128)), "4 loads; a knee takes 6", id="few loads"),
        pytest.param(
            Taken((Reading("waiting_count", 3.0, "a file"),)), "neither readings over time nor runs", id="one"
        ),
    ],
)
def test_measurements_that_say_no_level_are_refused(taken: Taken, message: str) -> None:
    with pytest.raises(IntakeError, match=message):
        calibrated(taken)


def test_knee_is_told_where_nothing_else_was_measured() -> None:
    names = ("concurrency_count", "output_tokens_per_s")
    bare = tuple(replace(run, readings=tuple(one for one in run.readings if one.name in names)) for run in sweep().runs)

    with pytest.raises(IntakeError) as caught:
        calibrated(Taken((), runs=bare))

    assert str(caught.value).startswith("output_tokens_per_s stops growing at load 40, but no threshold could be")
    assert "measure the engine and its GPUs at every load" in str(caught.value)


@pytest.mark.parametrize("text", ["prompt_tokens_p95 >", "no_such_name > 3"])
def test_condition_of_the_load_that_no_tree_would_take_is_refused(text: str) -> None:
    with pytest.raises(IntakeError, match="the condition of the load: "):
        calibrated(healthy(), key=replace(KEY, load_when=text))


def test_runs_of_several_lengths_are_no_sweep() -> None:
    runs = tuple(
        replace(run, readings=(*run.readings, Reading("prompt_tokens_p50", 100.0 * index + 100, "a run")))
        for index, run in enumerate(sweep().runs)
    )
    with pytest.raises(IntakeError, match="are no sweep"):
        calibrated(Taken((), runs=runs))


def test_threshold_that_no_history_knows_is_refused() -> None:
    with pytest.raises(NotFound, match="a history calibrates"):
        calibrated(healthy(), only=("kv_roomy",))


def test_same_measurements_give_the_same_bytes_and_the_tree_takes_them(tmp_path: Path) -> None:
    answer, again = calm(), calibrated(healthy())
    swept = calibrated(sweep(), key=replace(KEY, name="swept"))
    rules, catalog = tmp_path / "rules", catalog_dir()
    shutil.copytree(rules_dir(), rules)
    for one in (answer, swept):
        (rules / "profiles" / f"{one.profile.name}.yaml").write_text(one.text, encoding="utf-8")

    assert answer.text == again.text
    # The record of translations learns of new sentences by `catalog fmt`.
    assert {one.code for one in lint_tree(catalog, rules, today="2026-12-01")} == {"unrecorded-translation"}
    files = frozenset((rules / "profiles" / f"{name}.yaml").resolve() for name in ("mine", "swept"))
    assert [one.changed for one in fmt(catalog, rules, only=files)] == [False, False]


def named(text: str, folder: Path) -> Profile:
    """The profile of a file, as a question would take it."""
    file = folder / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    knowledge, name = profile_named(shipped(), str(file))
    return knowledge.rulebook.profiles[name]


def test_file_is_read_back_as_the_profile_it_was_written_from(tmp_path: Path) -> None:
    answer = calm()

    assert named(answer.text, tmp_path) == answer.profile


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bandwidth_high:", "bandwidth_hgh:", "no threshold is called 'bandwidth_hgh'; did you mean bandwidth_high?"),
        ('unit: "1"', 'unit: "s"', "bandwidth_high is in s; expected 1"),
        ("< 4000token", "< 4000s", "mine.yaml:9:14: "),
        ("base: default", "base: nobody", "no profile is called 'nobody'"),
        ("value: ", "values: ", "key 'values'"),
    ],
)
def test_file_that_is_no_profile_is_refused_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = calm().text
    assert old in text

    with pytest.raises((CurationError, NotFound)) as caught:
        named(text.replace(old, new, 1), tmp_path)

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("facts", "model", "prompts", "truth", "says"),
    [
        ({"gpu_name": "NVIDIA H100 80GB HBM3", "engine": "vllm"}, "org/model", 900.0, Truth.TRUE, []),
        (
            {"gpu_name": "NVIDIA A100-SXM4-80GB", "engine": "sglang"},
            "org/other",
            9000.0,
            Truth.FALSE,
            ["hardware H100, and this is NVIDIA A100", "engine vllm, and this is sglang", "org/other", "does not hold"],
        ),
        (
            {},
            "",
            None,
            Truth.UNKNOWN,
            ["hardware H100; whether", "engine vllm; whether", "org/model; whether", "takes prompt"],
        ),
    ],
)
def test_profile_used_outside_of_its_key_warns(
    tmp_path: Path, facts: dict[str, str], model: str, prompts: float | None, truth: Truth, says: list[str]
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(calm().text, encoding="utf-8")
    knowledge, name = profile_named(shipped(), str(file))
    readings = [Reading("kv_cache_usage_ratio", 0.5, "a dump", model=model)]
    readings += [Reading("prompt_tokens_p95", prompts, "a dump")] if prompts is not None else []
    origin = Origin("file", "a dump")
    taken = Taken(tuple(readings), tuple(Fact(key, value, origin) for key, value in facts.items()))

    answer = diagnose(knowledge, [taken], profile=name)

    assert answer.fit.truth is truth
    assert len(answer.fit.why) == len(says)
    for said, part in zip(answer.notes[-len(says) :] if says else (), says, strict=True):
        assert part in said.en
        assert said.zh
