import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.catalog.rank import search
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import ASKED_TEXT_MAX
from tests.shipped import shipped

CATALOG = shipped().catalog
NAMES = sorted(
    {
        (name, one.id)
        for one in CATALOG.live
        for name in (one.id, *(alias for group in one.aliases.values() for alias in group))
    }
)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("DCP", "decode-context-parallelism"),
        ("--enable-prefix-caching", "prefix-caching"),
        ("投机解码", "speculative-decoding"),
        ("speclative decodng", "speculative-decoding"),
        ("KV quantisation", "kv-cache-quantization"),
        ("TENSOR_PARALLEL", "tensor-parallelism"),
        ("张量并行", "tensor-parallelism"),
        ("flashattention", "flash-attention"),
    ],
)
def test_what_is_meant_comes_first(words: str, expected: str) -> None:
    assert search(CATALOG, words, limit=5)[0].technique == expected


@given(st.sampled_from(NAMES))
def test_every_name_finds_its_technique_with_the_full_score(named: tuple[str, str]) -> None:
    name, technique = named

    found = {hit.technique: hit.score for hit in search(CATALOG, name, limit=100)}

    assert found[technique] == 100


@given(st.text(max_size=40))
def test_any_text_gives_hits_in_falling_order_and_each_technique_once(words: str) -> None:
    hits = search(CATALOG, words, limit=20)

    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.technique for hit in hits}) == len(hits) <= 20
    assert all(0 < hit.score <= 100 for hit in hits)


def test_words_of_the_goal_are_found_where_no_name_has_them() -> None:
    hits = {hit.technique: hit.where for hit in search(CATALOG, "one pass over memory", limit=20)}

    assert "goal" in hits.values() or "summary" in hits.values()


@pytest.mark.parametrize("words", ["", "   ", "-_-"])
def test_nothing_finds_nothing(words: str) -> None:
    assert search(CATALOG, words, limit=5) == ()


def test_nonsense_finds_nothing() -> None:
    assert search(CATALOG, "zzzxqj wvvk", limit=5) == ()


def test_text_longer_than_any_name_is_refused() -> None:
    with pytest.raises(LimitExceeded):
        search(CATALOG, "x" * (ASKED_TEXT_MAX + 1), limit=5)
