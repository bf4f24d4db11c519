"""Laws that hold for every shape: sharding never costs bytes, copies times heads are ranks, more memory holds more."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.jobs.deployment import Asked, deployment_of
from knockon.sizing.size import size
from knockon.terms.fact import values_of
from knockon.terms.words import Scalar
from tests.shipped import shipped
from tests.sizing.shapes import DEEPSEEK_V3

POWERS = [1, 2, 4, 8, 16, 32, 64]


def plain(heads: int, ranks: int) -> dict[str, Scalar]:
    return {
        "attention_kind": "gqa",
        "num_hidden_layers": 48,
        "num_attention_heads": 64,
        "num_key_value_heads": heads,
        "head_dim": 128,
        "tensor_parallel_size": ranks,
    }


@given(heads=st.sampled_from(POWERS), ranks=st.sampled_from(POWERS[:-1]))
def test_bytes_per_gpu_never_rise_with_tp_and_are_flat_beyond_the_heads(heads: int, ranks: int) -> None:
    here = size(plain(heads, ranks)).kv_bytes_per_token_per_gpu
    twice = size(plain(heads, ranks * 2)).kv_bytes_per_token_per_gpu

    assert here is not None
    assert twice == (here if ranks >= heads else here / 2)


@given(heads=st.sampled_from(POWERS), ranks=st.sampled_from(POWERS))
def test_copies_times_heads_are_the_ranks_beyond_the_heads(heads: int, ranks: int) -> None:
    replicas = size(plain(heads, ranks)).kv_head_replicas

    assert replicas is not None
    assert replicas * heads == ranks if ranks > heads else replicas == 1


@given(ranks=st.sampled_from(POWERS))
def test_latent_bytes_do_not_depend_on_tp(ranks: int) -> None:
    assert size({**DEEPSEEK_V3, "tensor_parallel_size": ranks}).kv_bytes_per_token_per_gpu == 70272


@given(
    available=st.integers(0, 10**12),
    more=st.integers(0, 10**11),
    engine=st.sampled_from(["vllm", "sglang", "trtllm"]),
    block=st.sampled_from([1, 16, 64, 128]),
)
def test_tokens_never_fall_with_more_memory(available: int, more: int, engine: str, block: int) -> None:
    facts: dict[str, Scalar] = {**plain(8, 4), "engine": engine, "kv_block_size_tokens": block, "max_model_len": 8192}

    less = size({**facts, "available_kv_cache_bytes": available})
    greater = size({**facts, "available_kv_cache_bytes": available + more})

    assert less.kv_cache_tokens is not None
    assert greater.kv_cache_tokens is not None
    assert less.kv_cache_tokens <= greater.kv_cache_tokens


@given(
    facts=st.dictionaries(
        st.sampled_from([*plain(1, 1), "kv_lora_rank", "qk_rope_head_dim", "decode_context_parallel_size", "engine"]),
        st.one_of(
            st.integers(-3, 200), st.booleans(), st.floats(), st.sampled_from(["gqa", "mla", "vllm", "sglang", ""])
        ),
    )
)
def test_no_facts_make_it_raise(facts: dict[str, Scalar]) -> None:
    sizing = size({**facts, "available_kv_cache_bytes": 1 << 30})

    assert sizing.kv_bytes_per_token_per_gpu is not None or "kv_cache_tokens" in sizing.reasons


SHOWN = ("weights_bytes_per_gpu", "kv_bytes_per_token_per_gpu", "kv_head_replicas", "kv_cache_tokens",
         "max_concurrency", "needed_bytes", "fits", "longest_that_fits", "concurrency_that_fits")  # fmt: skip


@cache
def shipped_models(engine: str) -> dict[str, dict[str, Scalar]]:
    """What is known of every shipped model where this engine runs it on one GPU."""
    asked = {name: Asked(engine=engine, model=name, gpu="h200") for name in shipped().catalog.models}
    return {name: values_of(deployment_of(shipped(), one).facts) for name, one in asked.items()}


@pytest.mark.parametrize("engine", ["vllm", "sglang", "trtllm", "tgi"])
@pytest.mark.parametrize("pool", [{}, {"available_kv_cache_bytes": 1 << 16}, {"available_kv_cache_bytes": 3 << 30}])
def test_what_is_not_told_of_any_shipped_model_has_its_reason(engine: str, pool: dict[str, Scalar]) -> None:
    silent = {}
    for name, facts in shipped_models(engine).items():
        sizing = size({**facts, **pool})
        silent[name] = [one for one in SHOWN if getattr(sizing, one) is None and one not in sizing.reasons]

    assert {name: fields for name, fields in silent.items() if fields} == {}
