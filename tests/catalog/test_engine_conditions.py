"""What one engine refuses stands under a condition on it where the technique is at home in several."""

import re

from tests.shipped import shipped

NAMES = {"vllm": r"vLLM(?! Ascend)", "sglang": r"SGLang", "trtllm": r"TensorRT[- ]LLM", "tgi": r"TGI"}
ON_ASCEND = r"On Ascend|vLLM Ascend"
BETWEEN_EXPERT_RANKS = {"alltoall_bytes_per_token", "expert_imbalance"}
ELSEWHERE = {"disaggregated-expert-parallelism", "moe-to-dense", "serverless-experts", "wireless-distributed-experts"}
"""Exchange between pools, functions or phones, or take the exchange away, without ranks of one engine."""
TELLS = {"vllm": ("engine", "kv_connector"), "ascend": ("runs_on_ascend",)}


def named_alone(text: str) -> str | None:
    """The one engine that the first half of a sentence names."""
    first = text.split(";", maxsplit=1)[0]
    if re.search(ON_ASCEND, first):
        return "ascend"
    named = [engine for engine, name in NAMES.items() if re.search(name, first)]
    return named[0] if len(named) == 1 else None


def test_a_conflict_in_one_engine_says_so_in_its_condition() -> None:
    bare = [
        (technique.id, relation.to)
        for technique in shipped().catalog.live
        for relation in technique.relations
        if relation.kind in {"conflicts", "degrades", "supersedes"}
        and len({switch.engine for switch in technique.switches} & NAMES.keys()) > 1
        and (engine := named_alone(relation.says.en))
        and not any(word in relation.when_text for word in TELLS.get(engine, ("engine",)))
    ]

    assert bare == []


def test_what_expert_ranks_exchange_is_shifted_only_where_there_are_ranks() -> None:
    bare = [
        (technique.id, shift.quantity)
        for technique in shipped().catalog.live
        for shift in technique.shifts
        if technique.cells[0].stage == "inference"
        and technique.id not in ELSEWHERE
        and shift.quantity in BETWEEN_EXPERT_RANKS
        and not any(word in shift.when_text for word in ("expert_parallel_size > 1", "enable_expert_parallel == true"))
    ]

    assert bare == []
