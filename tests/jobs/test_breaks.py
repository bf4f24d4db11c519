import pytest

from knockon.catalog.hop import HopKind
from knockon.jobs.breaks import breaks
from knockon.jobs.deployment import Asked
from knockon.jobs.knowledge import Knowledge
from knockon.terms.errors import IntakeError, LimitExceeded, NotFound
from knockon.terms.truth import Truth

QWEN = "Qwen/Qwen3-235B-A22B"


def asked(tensor_parallel_size: int) -> Asked:
    return Asked(model=QWEN, sets=[f"tensor_parallel_size={tensor_parallel_size}", "decode_context_parallel_size=1"])


def test_tensor_parallelism_lands_on_storage_and_network(shipped: Knowledge) -> None:
    answer = breaks(shipped, "TP").breaks

    worse = {(hop.target.id, hop.onto) for hop in answer.hops if hop.depth == 1 and hop.worsens}
    assert {("kv_cache_tokens", "storage"), ("allreduce_bytes_per_token", "network")} <= worse
    assert "decode-context-parallelism" in {held.technique for held in answer.eased_by}
    followed = {(hop.source.id, hop.target.id) for hop in answer.hops if hop.kind is HopKind.INFLUENCE}
    assert ("kv_cache_tokens", "max_concurrency") in followed
    assert "kv_cache_tokens" in {one.quantity for one in answer.ambiguous}


def test_copies_of_kv_heads_are_sure_beyond_their_number_and_do_not_apply_below_it(shipped: Knowledge) -> None:
    def truth_of_copies(size: int) -> Truth:
        answer = breaks(shipped, "tensor-parallelism", depth=1, asked=asked(size)).breaks
        (hop,) = [
            hop
            for hop in (*answer.hops, *answer.does_not_apply)
            if hop.target.id == "kv_cache_tokens" and "num_key_value_heads" in hop.when_text
        ]
        return hop.truth

    assert truth_of_copies(8) is Truth.TRUE
    assert truth_of_copies(4) is Truth.FALSE


def test_what_is_of_another_stage_loses_nothing_but_quality(shipped: Knowledge) -> None:
    techniques, quantities = shipped.catalog.techniques, shipped.catalog.quantities
    hits = [
        (technique.id, hop.source.id, hop.target.id)
        for technique in shipped.catalog.live[::20]
        for hop in breaks(shipped, technique.id, depth=3).breaks.hops
        if hop.kind is HopKind.EATS and technique.stages.isdisjoint(techniques[hop.target.id].stages)
    ]

    assert {quantities[quantity].of for _, quantity, _ in hits} == {"quality"}


def test_what_eases_a_technique_or_is_not_there_without_it_loses_nothing_by_it(shipped: Knowledge) -> None:
    answer = breaks(shipped, "fully-sharded-data-parallel", depth=3).breaks

    eaten = {hop.target.id for hop in answer.hops if hop.kind is HopKind.EATS}
    assert eaten.isdisjoint({"zeropp-quantized-weights", "zeropp-hierarchical-partition", "fsdp-double-buffer"})
    assert "zeropp-quantized-weights" in {held.technique for held in answer.eased_by}


OF_PREFILL = {"compute_flops_per_token_per_gpu", "prefill_flops_per_gpu", "prefill_compute_flops", "mfu_ratio"}


@pytest.mark.parametrize(
    ("technique", "target", "not_by"),
    [
        # Drafts and their checks are arithmetic of decode, and prefill is bound by its own.
        ("speculative-decoding", "ttft_s", OF_PREFILL),
        ("lookahead-decoding", "ttft_s", OF_PREFILL),
        ("early-exit", "ttft_s", OF_PREFILL),
        # What is exchanged per decode step is no part of a prefill, nor the other way round.
        ("decode-context-parallelism", "ttft_s", {"exposed_communication_s"}),
        ("prefill-context-parallelism", "itl_s", {"exposed_communication_s", "context_parallel_bytes_per_token"}),
        # Weights that are streamed are no prefix of a prompt.
        ("weight-cpu-offload", "ttft_s", {"host_device_transfer_bytes"}),
        # Replays of an encoder belong to the prompt.
        ("encoder-cuda-graphs", "itl_s", {"kernel_launch_overhead_s"}),
    ],
)
def test_an_influence_of_one_phase_is_not_followed_from_what_is_of_the_other(
    shipped: Knowledge, technique: str, target: str, not_by: set[str]
) -> None:
    answer = breaks(shipped, technique, depth=3).breaks

    by = {hop.source.id for hop in answer.hops if hop.target.id == target and hop.kind is HopKind.INFLUENCE}
    assert by.isdisjoint(not_by)


def test_one_latent_head_is_not_cut_by_heads(shipped: Knowledge) -> None:
    # Its config.json says 128 KV heads, and the cache holds none of them.
    deepseek = Asked(model="deepseek-ai/DeepSeek-V3", sets=["tensor_parallel_size=8"])
    answer = breaks(shipped, "tensor-parallelism", depth=1, asked=deepseek).breaks

    smaller = [hop.truth for hop in answer.does_not_apply if hop.target.id == "kv_bytes_per_token_per_gpu"]
    assert smaller == [Truth.FALSE]


def test_rule_about_the_technique_fires_in_the_deployment(shipped: Knowledge) -> None:
    answer = breaks(shipped, "tensor-parallelism", depth=1, asked=asked(8)).breaks

    fires = {hop.target.id: hop.truth for hop in answer.hops if hop.kind is HopKind.FIRES}
    assert fires["K001"] is Truth.TRUE


def test_without_a_deployment_conditions_stay_unknown(shipped: Knowledge) -> None:
    answer = breaks(shipped, "decode-context-parallelism", depth=1)

    assert answer.deployment is None
    assert answer.breaks.does_not_apply == ()
    shifts = [hop for hop in answer.breaks.hops if hop.kind is HopKind.SHIFT]
    assert {hop.truth for hop in shifts if hop.when_text} == {Truth.UNKNOWN}


def test_every_hop_of_every_technique_has_a_source(shipped: Knowledge) -> None:
    catalog = shipped.catalog
    # A hop is followed alike from wherever it is reached: near ones of all techniques, all hops of every tenth.
    bare = [
        (technique.id, hop.target.id)
        for number, technique in enumerate(catalog.live)
        for hop in breaks(shipped, technique.id, depth=2 if number % 10 else 8).breaks.hops
        if not catalog.sources(hop.cite)
    ]

    assert bare == []


def test_bad_questions_are_refused(shipped: Knowledge) -> None:
    with pytest.raises(NotFound, match="no technique is called 'no-such-thing'"):
        breaks(shipped, "no-such-thing")
    with pytest.raises(IntakeError, match="a depth of 0 follows nothing"):
        breaks(shipped, "TP", depth=0)
    with pytest.raises(LimitExceeded, match="depth is over the limit of 8, found 99"):
        breaks(shipped, "TP", depth=99)


@pytest.mark.parametrize(
    ("technique", "left", "other"),
    [
        # Both move activations; the batch of training and the cache of serving are cut out of them apart.
        ("chunked-prefill", "available_kv_cache_bytes", "micro_batch_size"),
        ("activation-checkpointing", "micro_batch_size", "available_kv_cache_bytes"),
        # Both leave stages of a pipeline idle.
        ("pipeline-parallelism", "mfu_ratio", "step_time_s"),
        ("pipeline-parallel-training", "step_time_s", "ttft_s"),
        # Both move bytes over the host link; only serving has a first token that waits for them.
        ("zero-offload", "host_device_transfer_bytes", "ttft_s"),
    ],
)
def test_influences_are_followed_in_the_stages_of_the_technique(
    shipped: Knowledge, technique: str, left: str, other: str
) -> None:
    reached = {hop.target.id for hop in breaks(shipped, technique, depth=4).breaks.hops}

    assert left in reached
    assert other not in reached


RUN = {"step_time_s", "training_tokens_per_s", "micro_batch_size", "training_communication_wait_s", "checkpoint_time_s"}


def test_nothing_that_only_serves_reaches_a_run_of_training(shipped: Knowledge) -> None:
    serving = [one.id for one in shipped.catalog.live if one.stages == {"inference"}]
    assert len(serving) > 300

    for technique in serving:
        reached = {hop.target.id for hop in breaks(shipped, technique, depth=6).breaks.hops}
        assert not reached & RUN, technique
