import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.catalog.stems import joined_words, stem, words_of


@pytest.mark.parametrize(
    "forms",
    [
        "quantize quantized quantised quantizer quantization quantisation",
        "cache caches cached caching",
        "batch batches batched batching",
        "page paged paging",
        "route router routed routing",
        "prefill prefilled prefilling",
        "loss losses",
        "speculation speculative speculated spec specs",
        "attention attn",
        "deduplication deduplicated dedup",
        "policy policies",
        "sparse sparsity",
        "parallel parallelism",
        "prune pruned pruning",
        "embed embedded embedding embeddings",
    ],
)
def test_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize("words", ["quantity quantize", "lossless lossy", "batch bath", "rate ratio", "量化 量子"])
def test_other_words_have_other_stems(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 2


@given(st.from_regex(r"[a-z]{1,16}", fullmatch=True))
def test_stem_of_a_stem_is_itself(word: str) -> None:
    assert stem(stem(word)) == stem(word)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("FlashAttention for the LoRA", ["flash", "attention", "lora"]),
        ("--kv-cache_dtype fp8", ["kv", "cache", "dtype", "fp8"]),
        ("KV缓存的量化", ["kv", "缓存", "量化"]),
        ("分页注意力", ["分页", "页注", "注意", "意力"]),
        ("what is it", []),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert list(words_of(text)) == words


def test_neighbours_are_joined_but_for_chinese_ones() -> None:
    assert list(joined_words(["check", "point", "缓存", "存块"])) == ["checkpoint"]
