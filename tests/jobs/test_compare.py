"""compare: refuses what is not comparable, and says what changed and moved where it is."""

from dataclasses import replace

import pytest

from knockon.jobs.compare import CompareAnswer, Context, Run, compare
from knockon.jobs.deployment import Asked
from knockon.sources import read_source
from tests.shipped import shipped

LOAD = ("prompt_tokens_p50=1000", "output_tokens_p50=200", "concurrency_count=64")


def run(*sets: str, facts: tuple[str, ...] = (), model: str | None = "Qwen/Qwen3-8B", gpu: str = "H100") -> Run:
    asked = Asked(engine="vllm", model=model, gpu=gpu, gpu_count=8, sets=["tensor_parallel_size=4", *facts])
    return Run((), (*LOAD, *sets), asked)


def compared(before: Run, after: Run, *allow_different: Context) -> CompareAnswer:
    return compare(shipped(), before, after, allow_different=allow_different)


def test_one_setting_and_what_it_moved() -> None:
    answer = compared(
        run("itl_s_p50=0.02", "output_tokens_per_s=1000", facts=("enforce_eager=true",)),
        run("itl_s_p50=0.014", "output_tokens_per_s=1010", facts=("enforce_eager=false",)),
    )

    assert answer.obstacles == ()
    assert [(one.name, one.before, one.after) for one in answer.changed] == [("enforce_eager", True, False)]
    telling = [one for one in answer.moved if one.is_telling]
    assert [(one.name, one.ratio) for one in telling] == [("itl_s_p50", pytest.approx(0.7))]
    assert not answer.spread_is_known
    explained = {(one.technique.id, one.shift.quantity): one for one in answer.explained}
    faster = explained["cuda-graphs", "itl_s"]
    assert (faster.turned_on, faster.reading, faster.seen) == (True, "itl_s_p50", "as expected")
    assert explained["cuda-graphs", "cuda_graph_bytes"].seen == "not measured"


def test_turned_off_the_opposite_is_expected() -> None:
    answer = compared(
        run("itl_s_p50=0.014", facts=("enforce_eager=false",)), run("itl_s_p50=0.02", facts=("enforce_eager=true",))
    )

    [faster] = [one for one in answer.explained if one.shift.quantity == "itl_s"]
    assert (faster.turned_on, faster.seen) == (False, "as expected")


def test_a_move_within_the_measured_spread_tells_nothing() -> None:
    answer = compared(
        run("itl_s_p50=0.02", "run_to_run_spread_ratio=0.4"), run("itl_s_p50=0.014", "run_to_run_spread_ratio=0.1")
    )

    assert (answer.spread, answer.spread_is_known) == (0.4, True)
    assert not any(one.is_telling for one in answer.moved)


def test_the_wall_before_and_after_is_told() -> None:
    full = ("memory_occupancy_ratio=0.97", "compute_utilization_ratio=0.3")
    answer = compared(run(*full), run("memory_occupancy_ratio=0.6", "compute_utilization_ratio=0.7"))

    assert answer.walls[0] == "memory"
    assert answer.walls[1] != "memory"


@pytest.mark.parametrize(
    ("after", "context", "why"),
    [
        (Run((), LOAD[1:], run().asked), "load", "prompt_tokens_p50 or prompt_tokens_mean is not known"),
        (Run((), (*LOAD[:2], "concurrency_count=128"), run().asked), "load", "concurrency_count is 64 and 128"),
        (run(model="Qwen/Qwen3-32B"), "model", "num_hidden_layers is 36 and 64"),
        (run(gpu="H200"), "hardware", "gpu_name is"),
        (Run((), LOAD), "config", "the configuration is not known"),
    ],
)
def test_what_is_not_the_same_or_not_known_is_an_obstacle(after: Run, context: Context, why: str) -> None:
    answer = compared(run("itl_s_p50=0.02"), after)

    assert why in " ".join(one.why.en for one in answer.obstacles if one.context == context)
    assert (answer.changed, answer.moved, answer.explained) == ((), (), ())


def test_an_obstacle_that_is_set_aside_stays_visible() -> None:
    other = Run((), (*LOAD[:2], "concurrency_count=128", "itl_s_p50=0.03"), run().asked)
    answer = compared(run("itl_s_p50=0.02"), other, "load")

    assert answer.obstacles == ()
    assert [one.context for one in answer.overridden] == ["load"]
    assert "itl_s_p50" in {one.name for one in answer.moved}


def test_several_settings_at_once_are_said_to_hide_the_cause() -> None:
    answer = compared(run(facts=("max_num_seqs=64", "enforce_eager=true")), run(facts=("max_num_seqs=128",)))

    assert len(answer.changed) == 2
    assert any("2 settings changed at once" in note.en for note in answer.notes)


def result(model: str, backend: str = "vllm") -> Run:
    """A benchmark's result that says its model and engine, and nothing more of its deployment."""
    text = (
        f'{{"model_id": "{model}", "backend": "{backend}", "request_rate": "inf", "max_concurrency": 8, '
        '"completed": 500, "duration": 100.0, "total_input_tokens": 500000, "total_output_tokens": 50000, '
        '"request_throughput": 5.0, "output_throughput": 500.0, "total_token_throughput": 5500.0, '
        '"median_ttft_ms": 60.0}'
    )
    return Run([read_source(text, filename="bench.json", vocabulary=shipped().rulebook.vocabulary)])


@pytest.mark.parametrize(
    ("before", "after", "context"),
    [
        (result("org/model-8b"), result("other/Model-8B"), []),
        (result("org/model-8b"), result("org/model-70b"), [("model", "the model is org/model-8b and org/model-70b")]),
        (result("org/model-8b"), result("served"), [("model", "the model is org/model-8b and served")]),
        (result("org/m"), result("org/m", "sglang"), [("config", "the engine is vllm and sglang")]),
    ],
)
def test_results_say_their_model_and_engine(before: Run, after: Run, context: list[tuple[str, str]]) -> None:
    answer = compared(before, after, "hardware")
    spoken = [(one.context, one.why.en) for one in answer.obstacles if "described" not in one.why.en]

    assert [one for one in spoken if "not known" not in one[1]] == context
    assert ("model" in {one.context for one in answer.obstacles}) == (bool(context) and context[0][0] == "model")


def test_another_engine_that_was_described_is_what_is_compared() -> None:
    described = [
        replace(result("org/m", engine), asked=Asked(engine=engine, gpu="H100", gpu_count=1))
        for engine in ("vllm", "sglang")
    ]

    answer = compared(*described)

    assert answer.obstacles == ()
    assert "engine" in {one.name for one in answer.changed}
