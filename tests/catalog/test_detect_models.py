"""What a model's config declares tells one technique from its neighbour."""

import pytest

from knockon.backends.python.walk import judge_one
from knockon.terms.truth import Truth
from knockon.terms.words import TechniqueId
from tests.shipped import shipped

LATENT_WITH_INDEXER = {"index_head_dim": 128, "attention_kind": "mla_sparse"}
COMPRESSED_WITH_INDEXER = {"index_head_dim": 128, "attention_kind": "compressed"}


@pytest.mark.parametrize(
    ("facts", "shown", "not_shown"),
    [
        (LATENT_WITH_INDEXER, "dsa-indexer", "compressed-hybrid-sparse-attention"),
        (COMPRESSED_WITH_INDEXER, "compressed-hybrid-sparse-attention", "dsa-indexer"),
    ],
)
def test_an_indexer_over_compressed_keys_is_not_the_one_over_latents(
    facts: dict[str, int | str], shown: str, not_shown: str
) -> None:
    verdicts = {}
    for id_ in (shown, not_shown):
        technique = shipped().catalog.techniques[TechniqueId(id_)]
        assert technique.detect is not None
        verdicts[id_] = judge_one(technique.detect, facts, vocabulary=shipped().rulebook.vocabulary)

    # Nobody names an algorithm here, so that its part of the condition stays open.
    assert verdicts[shown] is Truth.TRUE
    assert verdicts[not_shown] is not Truth.TRUE
