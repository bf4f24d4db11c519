import pytest
from hypothesis import given

from knockon.catalog.names import fold
from knockon.catalog.traditional import simplified
from tests.texts import texts


@pytest.mark.parametrize(
    ("traditional", "expected"),
    [
        ("推測解碼", "推测解码"),
        ("連續批處理", "连续批处理"),
        ("預填充與解碼分離", "预填充与解码分离"),
        ("後訓練", "后训练"),
    ],
)
def test_traditional_characters_become_simplified_ones(traditional: str, expected: str) -> None:
    assert simplified(traditional) == expected
    assert fold(traditional) == fold(expected)


@given(texts(max_size=40))
def test_simplified_text_stays_as_long_and_as_it_is(text: str) -> None:
    once = simplified(text)

    assert len(once) == len(text)
    assert simplified(once) == once
