"""diagnose: readings of several sources, profiles, coverage and refusals."""

import pytest

from knockon.engines import read_command
from knockon.jobs.deployment import Asked
from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from knockon.sources.base import Taken
from knockon.terms.argument import arguments_of
from knockon.terms.errors import IntakeError, NotFound
from knockon.terms.fact import Fact, Origin
from knockon.terms.reading import Reading
from knockon.terms.words import Scalar
from tests.shipped import shipped


def answered(*facts: Fact, profile: str = "default", sets: tuple[str, ...] = (), **values: Scalar) -> DiagnoseAnswer:
    """The answer on one source with these readings and facts."""
    readings = tuple(Reading(name, value, "a dashboard") for name, value in values.items())
    return diagnose(shipped(), [Taken(readings=readings, facts=facts)], profile=profile, sets=sets)


def test_several_sources_are_merged() -> None:
    engine = Taken(readings=(Reading("kv_cache_usage_ratio", 0.97, "engine"),), engine="vllm")
    device = Taken(readings=(Reading("sm_active_ratio", 0.3, "device"),))

    answer = diagnose(shipped(), [engine, device])

    assert answer.diagnosis.verdict == "memory"
    assert answer.diagnosis.hypotheses[0].rule.id == "D003"
    assert answer.engine == "vllm"


def test_set_replaces_what_a_source_says() -> None:
    answer = answered(memory_occupancy_ratio=0.5, sets=("memory_occupancy_ratio=0.97",))

    assert answer.intake.observed["memory_occupancy_ratio"].value == 0.97
    assert answer.diagnosis.verdict == "memory"


def test_engine_pool_stands_for_memory_before_device_memory() -> None:
    answer = answered(kv_cache_usage_ratio=0.2, device_memory_occupancy_ratio=0.95)

    assert answer.intake.observed["memory_occupancy_ratio"].value == 0.2
    assert answer.diagnosis.verdict == "insufficient_data"


def test_facts_about_the_machine_alone_are_no_key_configuration() -> None:
    origin = Origin("file", "a dump")

    machine = answered(Fact("gpu_name", "NVIDIA H100 80GB HBM3", origin), memory_occupancy_ratio=0.5)
    engine = answered(Fact("kv_block_size_tokens", 16, origin), memory_occupancy_ratio=0.5)

    assert machine.coverage.ratios["context"] == 0.0
    assert engine.coverage.ratios["context"] == 0.33


@pytest.mark.parametrize(
    ("sets", "profile", "error", "message"),
    [
        (("memory_occupancy_rate=0.9",), "default", NotFound, "did you mean 'memory_occupancy_ratio'"),
        (("memory_occupancy_ratio=lots",), "default", IntakeError, "expected a number from 0 to 1"),
        ((), "h200", NotFound, "no profile is called 'h200'"),
    ],
)
def test_wrong_use_is_refused_with_what_was_expected(
    sets: tuple[str, ...], profile: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        answered(profile=profile, sets=sets)


def of_model(model: str, **values: Scalar) -> tuple[Reading, ...]:
    """Readings about one served model."""
    return tuple(Reading(name, value, "a scrape", model=model) for name, value in values.items())


def test_what_waits_for_one_model_is_not_held_against_what_another_runs() -> None:
    taken = Taken(
        readings=(*of_model("a", waiting_count=40), *of_model("b", running_count=1, memory_occupancy_ratio=0.3))
    )

    answer = diagnose(shipped(), [taken])

    assert answer.diagnosis.hypotheses == ()
    assert answer.intake.model == "b"
    assert [reading.name for reading in answer.intake.set_aside] == ["waiting_count"]
    assert answer.notes[0].en == (
        "only the readings of b are judged, those of a are set aside; a deployment whose model is named chooses another"
    )


def test_the_model_of_the_command_is_the_one_that_is_judged() -> None:
    taken = Taken(
        readings=(*of_model("org/a", waiting_count=40), *of_model("org/b", running_count=1, kv_cache_usage_ratio=0.3))
    )
    command = read_command(arguments_of(["vllm", "serve", "org/a"], path="<command>"))

    answer = diagnose(shipped(), [taken], asked=Asked(configured=command, allows_unknown=True))

    assert answer.intake.model == "org/a"


def test_of_thousands_of_models_a_few_are_named() -> None:
    many = [reading for index in range(2000) for reading in of_model(f"m{index:04}", waiting_count=1)]

    answer = diagnose(shipped(), [Taken(readings=tuple(many))])

    assert "m0001, m0002, m0003, m0004, m0005 and 1994 more are set aside" in answer.notes[0].en


def test_readings_of_the_device_are_judged_with_the_model() -> None:
    taken = Taken(
        readings=(
            *of_model("a", kv_cache_usage_ratio=0.97),
            *of_model("b", waiting_count=1, running_count=1, kv_cache_usage_ratio=0.2),
            Reading("sm_active_ratio", 0.3, "a device"),
        )
    )

    answer = diagnose(shipped(), [taken])

    assert answer.intake.model == "b"
    assert answer.intake.observed["kv_cache_usage_ratio"].value == 0.2
    assert answer.intake.observed["compute_utilization_ratio"].value == 0.3


def test_a_verdict_does_not_stand_on_a_reading_that_was_lost() -> None:
    queue = (Reading("waiting_count", 37, "engine"), Reading("running_count", 48, "engine"))
    lost = Reading("kv_cache_usage_ratio", None, "engine", state="missing", why="the number was cut", raw="0.")
    wrong = Reading("kv_cache_usage_ratio", 99, "engine")

    asked = [diagnose(shipped(), [Taken(readings=(*queue, *more))]).diagnosis for more in ((), (lost,), (wrong,))]

    # Nobody looked at the pool: a queue, with a doubt. Somebody looked, and it would have told memory from queueing.
    assert [one.verdict for one in asked] == ["queueing", "insufficient_data", "insufficient_data"]
    assert all(one.missing[0].name == "kv_cache_usage_ratio" for one in asked[1:])
