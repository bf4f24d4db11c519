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


def test_what_the_config_of_a_model_shows_is_detected() -> None:
    found = built.shipped().detection({"linear_state_kind": "kda"})

    assert "gated-delta-rule" in [one.id for one in found]


def test_what_was_done_in_training_alone_is_not_detected_in_a_deployment(others: list[Technique]) -> None:
    # It is over when the model is served: its costs are of no deployment's ledger.
    over = {"training", "data"}

    assert [one.id for one in others if one.detect_text and over.issuperset(cell.stage for cell in one.cells)] == []
