"""Sentences with fields."""

import pytest

from knockon.rules.fill import fields_in, filled, shown
from knockon.terms.words import Text


def test_fields_are_filled_in_both_languages_and_unknown_ones_say_so() -> None:
    text = Text("{tp} ranks, {needed_bytes:bytes}, {other}", "{tp} 个 rank，{needed_bytes:bytes}，{other}")

    assert filled(text, {"tp": 8, "needed_bytes": 3 * 1024**3}) == Text(
        "8 ranks, 3.00 GiB, unknown", "8 个 rank，3.00 GiB，未知"
    )


def test_fields_in_names_each_field_once() -> None:
    assert fields_in("{a} {b:percent} {a}") == {"a", "b"}


@pytest.mark.parametrize(
    ("value", "style", "text"),
    [
        (True, None, "true"),
        (0.5, None, "0.5"),
        (2.0, None, "2"),
        (0.905, "percent", "90.5 %"),
        (1_115_504, "tokens", "1,115,504"),
        (512, "bytes", "512 B"),
        (5 * 1024**2, "bytes", "5.00 MiB"),
        ("gqa", None, "gqa"),
    ],
)
def test_value_reads_as_people_write_it(value: bool | float | str, style: str | None, text: str) -> None:
    assert shown(value, style) == text
