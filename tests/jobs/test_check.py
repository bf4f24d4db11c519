"""check: the worked example and its neighbours, on the shipped catalog and rules."""

import pytest

from knockon.engines import read_command
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked
from knockon.terms.argument import arguments_of
from knockon.terms.errors import IntakeError, NotFound
from knockon.terms.words import CheckVerdict
from tests.shipped import shipped

QWEN = "vllm serve Qwen/Qwen3-235B-A22B"


def asked(command: str, **more: object) -> CheckAnswer:
    """The answer for one command line."""
    return check(shipped(), Asked(configured=read_command(arguments_of(command.split())), **more))  # type: ignore[arg-type]


def fired(answer: CheckAnswer) -> list[str]:
    """Ids of the rules that fired, in the order of the answer."""
    return [checked.finding.rule.id for checked in answer.findings]


def test_tensor_parallelism_over_kv_heads_is_degraded_step_by_step() -> None:
    answer = asked(f"{QWEN} --tensor-parallel-size 8")

    assert answer.verdict is CheckVerdict.DEGRADED
    first = answer.findings[0].finding
    assert first.rule.id == "K001"
    assert [(step.name, step.value) for step in first.derivation] == [
        ("heads", 4),
        ("tp", 8),
        ("kv_head_replicas", 2),
        ("flat_from_tp", 4),
        ("kept", 0.5),
        ("concurrency_factor", 0.5),
    ]
    assert [(cost.gains, cost.onto, cost.quantity, cost.factor) for cost in first.shifts] == [
        ("compute", "storage", "kv_cache_tokens", 0.5),
        ("compute", "storage", "max_concurrency", 0.5),
    ]
    assert answer.deployment.sizing.kv_head_replicas == 2


def test_fix_of_the_worked_example_is_checked_and_shown_with_its_own_cost() -> None:
    fix = asked(f"{QWEN} --tensor-parallel-size 8").findings[0].fixes[0]

    assert fix.offered.technique == "decode-context-parallelism"
    assert fix.offered.sets == {"decode_context_parallel_size": 2}
    assert fix.offered.range == (1, 2)
    assert fix.verdict is CheckVerdict.FINE
    assert "network" in fix.knock_on[0].en
    assert [entry.onto for entry in fix.ledger if any(line.cause == "K003" for line in entry.costs)] == ["network"]


def test_tensor_parallelism_up_to_the_kv_heads_is_silent() -> None:
    answer = asked(f"{QWEN} --tensor-parallel-size 4")

    assert "K001" not in fired(answer)
    assert answer.verdict is CheckVerdict.FINE


def test_decode_context_parallelism_within_range_is_fine_with_the_network_noted() -> None:
    answer = asked(f"{QWEN} --tensor-parallel-size 8 --decode-context-parallel-size 2")

    assert answer.verdict is CheckVerdict.FINE
    assert "K003" in fired(answer)
    assert "K001" not in fired(answer)


def test_decode_context_parallelism_over_range_is_a_conflict_naming_the_limit() -> None:
    answer = asked(f"{QWEN} --tensor-parallel-size 8 --decode-context-parallel-size 4")

    assert answer.verdict is CheckVerdict.CONFLICT
    assert fired(answer)[0] == "K004"
    first = answer.findings[0]
    assert "config/model.py" in first.finding.remarks[0].en
    assert "Another engine may allow" in first.finding.remarks[0].en
    assert first.fixes[0].offered.sets == {"decode_context_parallel_size": 2}


def test_mla_copies_its_latent_and_gqa_rule_stays_silent() -> None:
    answer = asked("vllm serve deepseek-ai/DeepSeek-R1 --tensor-parallel-size 8")

    assert answer.verdict is CheckVerdict.DEGRADED
    assert "K002" in fired(answer)
    assert "K001" not in fired(answer)
    assert answer.deployment.sizing.kv_head_replicas == 8


def test_model_with_as_many_kv_heads_as_ranks_never_fires() -> None:
    answer = asked("vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 8")

    assert not {"K001", "K002"} & set(fired(answer))


def test_unknown_model_leaves_the_verdict_unknown_and_says_what_is_needed() -> None:
    answer = asked("vllm serve example/Unheard-Of-7B --tensor-parallel-size 8")

    assert answer.verdict is CheckVerdict.UNKNOWN
    needs = {undecided.rule.id: undecided.needs for undecided in answer.cannot_tell}
    assert "num_key_value_heads" in needs["K001"]
    assert answer.deployment.notes == ()
    assert [(one.code, one.what.en) for one in answer.deployment.bad_input] == [
        ("unknown-model", "no model is called 'example/Unheard-Of-7B'")
    ]


def test_model_named_on_purpose_must_be_known() -> None:
    with pytest.raises(NotFound, match="no model is called 'example/Unheard-Of-7B'"):
        asked(f"{QWEN} --tensor-parallel-size 8", model="example/Unheard-Of-7B")


def test_set_beats_the_command_line() -> None:
    answer = asked(f"{QWEN} --tensor-parallel-size 8", sets=["tensor_parallel_size=4"])

    assert answer.deployment.facts["tensor_parallel_size"].value == 4
    assert "K001" not in fired(answer)


@pytest.mark.parametrize(
    ("assignment", "error", "message"),
    [
        ("tensor_parallel_sise=8", NotFound, "did you mean 'tensor_parallel_size'"),
        ("tensor_parallel_size", IntakeError, "sets nothing; expected fact=value"),
        ("tensor_parallel_size=many", IntakeError, "expected a whole number from 1 to 4096"),
        ("tensor_parallel_size=0", IntakeError, "expected a whole number from 1 to 4096"),
        ("enforce_eager=perhaps", IntakeError, "expected true or false"),
        ("engine=vlm", IntakeError, "expected one of vllm, sglang, trtllm, tgi"),
    ],
)
def test_bad_assignment_says_what_was_expected(assignment: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        asked(f"{QWEN} --tensor-parallel-size 8", sets=[assignment])


def test_available_memory_gives_the_golden_capacity() -> None:
    # vLLM 0.33.0's own planner: 50 GiB, TP 8 = 1,115,504 tokens; with DCP 2 = 2,231,008.
    given = ["available_kv_cache_bytes=50GiB", "max_model_len=40960"]
    plain = asked(f"{QWEN} --tensor-parallel-size 8", sets=given).deployment.sizing
    shared = asked(f"{QWEN} --tensor-parallel-size 8 -dcp 2", sets=given).deployment.sizing

    assert plain.kv_cache_tokens == 1_115_504
    assert shared.kv_cache_tokens == 2_231_008


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("example/Some-70B-NVFP4", True),
        ("example/Some-70B-AWQ", True),
        ("example/Some-70B-w4a16", True),
        ("example/Some-70B-Instruct", False),
        ("example/Waffp8le-7B", False),
    ],
)
def test_quantization_told_by_the_name_alone_leaves_the_weights_unknown(name: str, hidden: bool) -> None:
    config = dict(shipped().catalog.model("meta-llama/Llama-3.1-70B-Instruct").config)
    sizing = asked(f"vllm serve {name} -tp 8", model_config=config).deployment.sizing

    assert (sizing.weights_bytes_per_gpu is None) is hidden


def test_experts_of_vllm_spread_over_tensor_and_data_parallel_ranks() -> None:
    command = "vllm serve Qwen/Qwen3-30B-A3B -tp 2 -dp 4"

    assert asked(f"{command} --enable-expert-parallel").deployment.facts["expert_parallel_size"].value == 8
    assert asked(command).deployment.facts["expert_parallel_size"].value == 1


def test_length_the_engine_fits_by_itself_is_not_taken_from_the_model() -> None:
    assert "max_model_len" not in asked(f"{QWEN} -tp 8 --max-model-len auto").deployment.facts
