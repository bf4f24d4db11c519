import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.catalog.names import fold
from knockon.catalog.traditional import TERMS, simplified
from tests.shipped import shipped
from tests.texts import texts


@pytest.mark.parametrize(
    ("traditional", "expected"),
    [
        ("推測解碼", "推测解码"),
        ("連續批處理", "连续批处理"),
        ("預填充與解碼分離", "预填充与解码分离"),
        ("後訓練", "后训练"),
        ("張量平行", "张量并行"),
        ("最佳化器狀態", "优化器状态"),
    ],
)
def test_traditional_characters_become_simplified_ones(traditional: str, expected: str) -> None:
    assert simplified(traditional) == expected
    assert fold(traditional) == fold(expected)


@pytest.mark.parametrize(
    ("words", "technique"),
    [
        ("張量平行", "tensor-parallelism"),
        ("管線平行", "pipeline-parallelism"),
        ("專家平行", "expert-parallelism"),
        ("前綴快取", "prefix-caching"),
        ("推測性解碼", "speculative-decoding"),
        ("投機性解碼", "speculative-decoding"),
        ("零冗餘優化器", "zero-optimizer-sharding"),
        ("零冗餘最佳化器", "zero-optimizer-sharding"),
        ("連續批處理", "continuous-batching"),
        ("梯度檢查點", "activation-checkpointing"),
        ("混合精度訓練", "mixed-precision-training"),
        ("鍵值快取", "key-value-caching"),
    ],
)
def test_terms_of_taiwan_find_their_techniques(words: str, technique: str) -> None:
    assert shipped().catalog.technique(words).id == technique


@given(st.one_of(texts(max_size=40), st.text("".join([*TERMS, *TERMS.values()]), max_size=12)))
def test_simplified_text_stays_as_it_is(text: str) -> None:
    once = simplified(text)

    assert simplified(once) == once


def test_what_a_term_becomes_makes_no_other_term_with_what_stands_beside_it() -> None:
    for becomes in TERMS.values():
        for term in TERMS:
            shared = [n for n in range(1, len(term)) if becomes.endswith(term[:n]) or becomes.startswith(term[-n:])]
            # Part of a term may stand in what it becomes itself, as it cannot come about twice.
            assert term not in becomes
            assert not shared or TERMS[term] == becomes, (term, becomes)
