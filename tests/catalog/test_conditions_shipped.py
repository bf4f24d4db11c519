"""Shifts of training, data, validation and governance say when they hold, and what is of one engine says of which."""

import re

import pytest

from knockon.catalog.catalog import Catalog
from knockon.catalog.technique import Technique
from tests import shipped as built

_BETWEEN_RANKS = {
    "tensor_exchange_bytes",
    "stage_exchange_bytes",
    "expert_exchange_bytes",
    "sequence_exchange_bytes",
    "expert_imbalance",
}
_SPLITS_NOTHING = {"wafer-scale-training"}
_IS_THE_MODEL = {"sparse-moe"}
_OF_ONE = {"vLLM Ascend": "runs_on_ascend", "On Ascend": "runs_on_ascend", "SGLang": "sglang", "vLLM": "vllm"}
_ALONE = re.compile(rf"^(?:In |The guide of |With speculation )?({'|'.join(_OF_ONE)})(?: \d[\d.]*)? [a-z]")
_STATED_BY_ONE = (
    "enable_multi_item_scoring",
    "enable_batch_sharded_sampling",
    "enable_elastic_ep",
    "prefill_only_disable_kv_cache",
    "prefill_context_parallel_size",
    "runner ==",
    "NixlConnector",
)


@pytest.fixture(scope="module")
def others() -> list[Technique]:
    """The live techniques that are at home outside serving."""
    catalog: Catalog = built.shipped().catalog
    return [one for one in catalog.live if one.cells[0].stage != "inference" and one.id not in _SPLITS_NOTHING]


def test_what_ranks_exchange_is_shifted_only_where_there_are_ranks(others: list[Technique]) -> None:
    bare = [
        (one.id, shift.quantity)
        for one in others
        for shift in one.shifts
        if shift.quantity in _BETWEEN_RANKS and not any(word in shift.when_text for word in ("_size > 1", "_count > 1"))
    ]

    assert bare == []


def test_who_balances_or_exchanges_experts_assumes_a_model_that_has_them(others: list[Technique]) -> None:
    silent = [
        one.id
        for one in others
        if one.id not in _IS_THE_MODEL
        and one.shifts
        and all("expert_parallel_size" in shift.when_text for shift in one.shifts if shift.when_text)
        and any("expert_parallel_size" in shift.when_text for shift in one.shifts)
        and not any("expert" in need.when_text for need in one.needs)
    ]

    assert silent == []


def test_what_the_config_of_a_model_shows_is_detected() -> None:
    found = built.shipped().detection({"linear_state_kind": "kda"})

    assert "gated-delta-rule" in [one.id for one in found]


def test_what_a_checkpoint_declares_or_a_loader_does_is_detected() -> None:
    # Most quantized models come so from their checkpoint, asked for by no flag; loaders of one kind are one technique,
    # and so is what SGLang states by a fact of its own.
    told = {
        "awq": {"checkpoint_quantization": "awq"},
        "gptq": {"checkpoint_quantization": "gptq"},
        "fp8-w8a8": {"checkpoint_quantization": "fp8"},
        "microscaling-fp4": {"checkpoint_quantization": "mxfp4"},
        "torch-compile-inference": {"compilation_mode": "VLLM_COMPILE"},
        "flashmla": {"attention_backend": "CUTLASS_MLA"},
        "gguf-k-quants": {"load_format": "gguf"},
        "presharded-checkpoint": {"load_format": "runai_streamer_sharded"},
        "fast-weight-loading": {"load_format": "tensorizer"},
        "peer-weight-clone": {"load_format": "remote_instance"},
        "grammar-mask-precompute": {"grammar_backend": "xgrammar"},
        "kv-cache-size-override": {"kv_cache_tokens_max": 100000},
        "pooling-model-serving": {"is_embedding": True},
        "sleep-mode-serving": {"enable_memory_saver": True},
    }

    assert [id_ for id_, facts in told.items() if id_ not in [one.id for one in built.shipped().detection(facts)]] == []


@pytest.mark.parametrize(
    ("id_", "facts"),
    [
        ("microscaling-fp4", {"checkpoint_quantization_algorithm": "NVFP4"}),
        ("microscaling-fp4", {"checkpoint_scheme": "w4a4-nvfp4"}),
        ("fp8-w8a8", {"checkpoint_quantization_algorithm": "FP8"}),
        ("fp8-w8a8", {"checkpoint_scheme": "w8a8-fp8"}),
    ],
)
def test_what_modelopt_and_compressed_tensors_wrote_is_detected(id_: str, facts: dict[str, str]) -> None:
    # Neither says the format by the name of its method; both do in what is below it.
    assert id_ in [one.id for one in built.shipped().detection(facts)]


def test_what_was_done_in_training_alone_is_not_detected_in_a_deployment(others: list[Technique]) -> None:
    # It is over when the model is served: its costs are of no deployment's ledger.
    over = {"training", "data"}

    assert [one.id for one in others if one.detect_text and over.issuperset(cell.stage for cell in one.cells)] == []


def test_what_one_engine_does_holds_only_where_that_engine_runs() -> None:
    # A sentence that opens with one engine and names no other is of that engine; its condition says so, by the engine
    # or by a fact that no other engine states.
    catalog: Catalog = built.shipped().catalog
    wide = []
    for one in catalog.live:
        for said in (*one.shifts, *one.relations):
            found = _ALONE.match(said.says.en)
            if found is None or sum(said.says.en.count(name) > 0 for name in ("SGLang", "vLLM", "TensorRT")) > 1:
                continue
            word = _OF_ONE[found[1]]
            if word not in said.when_text and not any(fact in said.when_text for fact in _STATED_BY_ONE):
                wide.append((one.id, said.says.en))

    assert wide == []


def test_a_limit_that_a_need_gives_to_one_engine_costs_that_engine_alone() -> None:
    # What excludes hardware or companions by the page that a need of one engine rests on is no limit of the others.
    wide = []
    for one in built.shipped().catalog.live:
        named: dict[str, set[str]] = {}
        for need in one.needs:
            if found := re.match(r'engine != "(\w+)" or ', need.when_text):
                named.setdefault(found[1], set()).update(place.ref for place in need.cite)
        for shift in one.shifts:
            if shift.quantity in ("excluded_combinations", "hardware_restriction") and "engine" not in shift.when_text:
                refs = {place.ref for place in shift.cite}
                wide += [(one.id, engine) for engine, bases in named.items() if refs <= bases]

    assert wide == []
