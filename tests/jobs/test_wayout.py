"""The way out: the smallest set of settings in conflict, and the nearest deployments that pass."""

from hypothesis import given
from hypothesis import strategies as st

from knockon.engines import read_command
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked
from knockon.terms.argument import arguments_of
from knockon.terms.words import CheckVerdict
from tests.shipped import shipped

QWEN = "vllm serve Qwen/Qwen3-235B-A22B"


def asked(command: str, *sets: str) -> CheckAnswer:
    """The answer for one command line."""
    return check(shipped(), Asked(configured=read_command(arguments_of(command.split())), sets=sets))


def settings(answer: CheckAnswer) -> dict[str, list[str]]:
    """Rule → names of its smallest set of settings, conflicts only."""
    return {
        one.finding.rule.id: [fact.name for fact in one.settings]
        for one in answer.findings
        if one.finding.verdict is CheckVerdict.CONFLICT
    }


def changes(answer: CheckAnswer) -> list[list[tuple[str, object, object]]]:
    """The changes of each near deployment."""
    return [[(change.name, change.before, change.value) for change in near.changes] for near in answer.nearest]


def test_settings_that_have_no_part_in_the_conflict_are_left_out() -> None:
    answer = asked(f"{QWEN} -tp 8 -dcp 4 --max-num-seqs 64 --gpu-memory-utilization 0.9 --enable-prefix-caching")

    assert settings(answer) == {"K004": ["decode_context_parallel_size", "tensor_parallel_size"]}


def test_nearest_deployments_pass_and_say_what_they_cost() -> None:
    answer = asked(f"{QWEN} -tp 8 -dcp 4")

    assert changes(answer) == [
        [("decode_context_parallel_size", 4, 2)],
        [("tensor_parallel_size", 8, 16)],
    ]
    assert [near.verdict for near in answer.nearest] == [CheckVerdict.FINE, CheckVerdict.FINE]
    assert [text.en for text in answer.nearest[1].worse] == ["It takes 16 devices instead of 8"]


def test_one_setting_in_two_conflicts_is_named_in_both_and_one_change_may_not_do() -> None:
    answer = asked(
        "vllm serve Qwen/Qwen2.5-7B-Instruct"
        " --max-num-batched-tokens 512 --max-num-seqs 1024 --no-enable-chunked-prefill"
    )

    assert settings(answer) == {
        "K030": ["enable_chunked_prefill", "max_num_batched_tokens"],
        "K031": ["max_num_batched_tokens", "max_num_seqs"],
    }
    assert changes(answer)[0] == [("max_num_batched_tokens", 512, None)]


def test_deployment_without_conflict_needs_no_way_out() -> None:
    assert asked(f"{QWEN} -tp 8").nearest == ()


def test_degradation_names_its_settings_too() -> None:
    first = asked(f"{QWEN} -tp 8 --max-num-seqs 64").findings[0]

    assert [fact.name for fact in first.settings] == ["tensor_parallel_size"]


def test_what_the_machine_is_stays_as_it_is() -> None:
    answer = asked("vllm serve meta-llama/Llama-3.1-8B-Instruct -tp 8", "gpu_count=4")

    assert answer.verdict is CheckVerdict.CONFLICT
    assert all(change.name != "gpu_count" for near in answer.nearest for change in near.changes)


MODELS = ["Qwen/Qwen3-235B-A22B", "deepseek-ai/DeepSeek-R1", "Qwen/Qwen2.5-7B-Instruct"]


@given(
    model=st.sampled_from(MODELS),
    tp=st.sampled_from([1, 2, 3, 4, 8, 16]),
    dcp=st.sampled_from([1, 2, 3, 4, 8]),
    seqs=st.sampled_from([1, 4096]),
)
def test_what_is_offered_never_conflicts(model: str, tp: int, dcp: int, seqs: int) -> None:
    answer = asked(f"vllm serve {model} -tp {tp} -dcp {dcp} --max-num-seqs {seqs} --max-num-batched-tokens 2048")

    for near in answer.nearest:
        again = asked(
            f"vllm serve {model} -tp {tp} -dcp {dcp} --max-num-seqs {seqs} --max-num-batched-tokens 2048",
            *(f"{change.name}={change.value}" for change in near.changes if change.value is not None),
        )
        if all(change.value is not None for change in near.changes):
            assert again.verdict is not CheckVerdict.CONFLICT
            assert again.verdict is near.verdict
    assert len(answer.nearest) <= 3
