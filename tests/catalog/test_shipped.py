"""The shipped catalog answers to the names people use; its shape is tested elsewhere."""

import pytest

from knockon.catalog.catalog import Catalog
from knockon.terms.errors import NotFound
from tests import shipped as built


@pytest.fixture(scope="module")
def shipped() -> Catalog:
    return built.shipped().catalog


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("Tesla T4", "t4"),
        ("h200", "h200"),
        ("mi300x", "mi300x"),
    ],
)
def test_gpu_answers_to_the_name_its_driver_gives(shipped: Catalog, name: str, found: str) -> None:
    assert shipped.gpu(name).id == found


def test_gpu_of_several_kinds_asks_which(shipped: Catalog) -> None:
    with pytest.raises(NotFound, match="the name fits each of these; say which one") as caught:
        shipped.gpu("A100")

    assert caught.value.suggestions == ("a100-pcie-40gb", "a100-pcie-80gb", "a100-sxm-40gb", "a100-sxm-80gb")


@pytest.mark.parametrize("name", ["Qwen/Qwen3-235B-A22B", "qwen/qwen3-235b-a22b", "Qwen3-235B-A22B"])
def test_model_answers_to_its_name_with_and_without_owner(shipped: Catalog, name: str) -> None:
    assert shipped.model(name).config["num_key_value_heads"] == 4


def test_every_id_and_alias_of_a_technique_leads_to_it(shipped: Catalog) -> None:
    wrong = [
        (one.id, name)
        for one in shipped.live
        for name in (one.id, *one.former_ids, *(alias for group in one.aliases.values() for alias in group))
        if shipped.technique(name) is not one
    ]

    assert wrong == []


def test_every_condition_of_the_catalog_is_in_the_language(shipped: Catalog) -> None:
    claims = [claim for one in shipped.live for claim in (*one.shifts, *one.needs, *one.relations)]
    influences = [influence for quantity in shipped.quantities.values() for influence in quantity.influences]

    stated = [claim for claim in (*claims, *influences) if claim.when_text]

    assert len(stated) > 50
    assert all(claim.when is not None for claim in stated)
