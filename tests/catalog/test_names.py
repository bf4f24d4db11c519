import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.catalog.names import NameIndex
from knockon.terms.errors import NotFound
from knockon.terms.limits import SUGGESTIONS_MAX
from tests.catalog.bundles import catalog_of, technique
from tests.shipped import shipped
from tests.texts import texts

CATALOG = shipped().catalog
TECHNIQUES = CATALOG.indexes.technique_names


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("lroa", "lora"),
        ("zreo", "ZeRO"),
        ("awqq", "awq"),
        ("dcpp", "DCP"),
        ("chunked preffill", "chunked-prefill"),
        ("pagedatention", "paged-attention"),
        ("flash-atention", "flash-attention"),
        ("speclative-decoding", "speculative-decoding"),
        ("tensor-paralelism", "tensor-parallelism"),
        ("张量病行", "张量并行"),
        ("投机编码", "投机解码"),
    ],
)
def test_slip_is_answered_with_what_was_meant(name: str, meant: str) -> None:
    assert TECHNIQUES.nearest(name)[0] == meant


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("expert balancing aux free loss", "aux-loss-free-balancing"),
        ("draining of traffic that is in flight", "graceful-drain"),
        ("recompute of activations in the backward", "activation-checkpointing"),
    ],
)
def test_name_in_other_words_is_answered_with_what_they_fit(name: str, meant: str) -> None:
    with pytest.raises(NotFound) as caught:
        CATALOG.technique(name)

    assert meant in caught.value.suggestions
    assert len(caught.value.suggestions) <= SUGGESTIONS_MAX


@pytest.mark.parametrize(
    "name",
    ["nope", "qwxyz", "asdf", "hello", "banana", "foobar", "xkcd", "pizza", "qwerty", "zebra", "cheese", "football",
     "blabla", "utter-nonsense", "my-technique", "this is no technique at all", "my pizza is cold", "红烧肉"],
)  # fmt: skip
def test_nonsense_is_answered_with_no_suggestion(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        CATALOG.technique(name)

    assert caught.value.suggestions == ()


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("batches", ("batch",)),
        ("batc", ("batch",)),
        ("big batch", ("batch",)),
        ("xbatcx", ()),
        ("kv cache", ("kv_cache_tokens",)),
        ("tokens", ("kv_cache_tokens",)),
        ("oken", ()),
    ],
)
def test_part_of_a_name_is_like_it_from_the_beginning_of_a_word(asked: str, near: tuple[str, ...]) -> None:
    names = NameIndex.of([("batch", "batch"), ("tokens", "kv_cache_tokens")])

    assert names.nearest(asked) == near


@given(texts(max_size=30))
def test_any_text_gives_few_names_of_different_techniques(name: str) -> None:
    near = TECHNIQUES.nearest(name)

    assert len({TECHNIQUES.find(one) for one in near}) == len(near) <= SUGGESTIONS_MAX


def test_latin_letters_are_answered_with_names_in_latin_letters_where_there_are_some() -> None:
    both = NameIndex.of([("a", "fast compile 缓存"), ("b", "fast compile for serving")])
    one = NameIndex.of([("a", "fast compile 缓存")])

    assert both.nearest("fast compile") == ("fast compile for serving",)
    assert one.nearest("fast compile") == ("fast compile 缓存",)


@pytest.mark.parametrize(
    ("name", "technique"),
    [
        ("in-memory checkpoint", "in-memory-checkpointing"),
        ("paged attn", "paged-attention"),
        ("quantisation", "weight-quantization"),
        ("quantised", "weight-quantization"),
        ("flashattn", "flash-attention"),
        ("tensor", None),
        ("tensors", None),
        ("tensorize", None),
        ("base", None),
        ("rule", None),
        ("autoscale", "queue-depth-autoscaling"),
        ("dedup of substrings", None),
        ("rollouts", None),
        ("semantic caches", "semantic-response-cache"),
        ("推測解碼", "speculative-decoding"),
        ("專家並行", "expert-parallelism"),
        ("量化感知訓練", "qat"),
    ],
)
def test_other_form_of_a_name_is_that_name(name: str, technique: str | None) -> None:
    try:
        found = CATALOG.technique(name).id
    except NotFound:
        found = None

    assert found == technique


def test_form_that_several_techniques_have_is_none_of_their_names() -> None:
    catalog = catalog_of(technique("cache-routing"), technique("b", aliases={"en": ["cached routers"]}))

    assert catalog.called_alike("caching routes") == ()


# They share an ending or a word with a name and mean something else.
@pytest.mark.parametrize(
    ("name", "far_fetched"),
    [
        ("data lineage of a lake", "data age"),
        ("mosaic streaming", "image streaming"),
        ("semantic chunking of documents", "semantic caching"),
        ("flash atention", "LSH attention"),
        ("contnuous batching", "nano-batching"),
        ("elastic training", "Ascend training"),
        ("kv-cahe quantization", "wave quantization"),
        ("SJF scheduling", "coscheduling"),
        ("KV cache isolation", "cluster-network-isolation"),
    ],
)
def test_name_that_only_ends_alike_is_not_suggested(name: str, far_fetched: str) -> None:
    assert far_fetched not in CATALOG.nearest_techniques(name)


@given(st.sampled_from(sorted(one for one in TECHNIQUES.written if len(one) > 8 and one.isascii())), st.data())
def test_name_with_one_letter_left_out_suggests_its_technique(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(name) - 1))
    slip = name[:at] + name[at + 1 :]

    near = TECHNIQUES.find(slip) or [key for one in TECHNIQUES.nearest(slip) for key in TECHNIQUES.find(one)]

    assert set(TECHNIQUES.find(name)) & set(near)


UNLIKE = """
kubernetes ingress, blockchain, garbage collection, solar panel, compiler theory, tax return, jazz music,
weather radar, football club, database index, quicksort, dark mode, linear algebra, traffic light, coffee
machine, bicycle lane, elevator, http cookie, css grid, regex engine, marathon training, piano lesson, tree
house, cash flow, load bearing wall, memory foam, cold brew, paper plane, attention deficit, model railway
"""


def test_nine_of_ten_names_of_other_things_are_answered_with_no_suggestion() -> None:
    names = [name.strip() for name in UNLIKE.split(",")]
    answered = [name for name in names if CATALOG.nearest_techniques(name)]

    assert len(answered) <= len(names) / 10, answered
