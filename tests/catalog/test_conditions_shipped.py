"""Shifts of training, data, validation and governance say when they hold; those of serving are tested elsewhere."""

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


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"num_experts": 128}, "sparse-moe"),
        ({"linear_state_kind": "mamba2"}, "linear-ssm"),
        ({"linear_state_kind": "kda"}, "gated-delta-rule"),
        ({"tie_word_embeddings": True}, "embedding-sharing"),
        ({"draft_layer_count": 1}, "multi-token-prediction-training"),
    ],
)
def test_what_the_config_of_a_model_shows_is_detected(facts: dict[str, int | str | bool], found: str) -> None:
    assert found in [one.id for one in built.shipped().detection(facts)]
