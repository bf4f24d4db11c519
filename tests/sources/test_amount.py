import re

import pytest

from knockon.sources.amount import Amount, amount_of, is_missing
from knockon.terms.unit import ONE, Unit, parse_unit

SECOND, BYTE, WATT = parse_unit("s"), parse_unit("byte"), parse_unit("W")


@pytest.mark.parametrize(
    ("text", "unit", "amount"),
    [
        ("0.12", SECOND, Amount(0.12)),
        ("120 ms", SECOND, Amount(0.12, "120 ms = 0.12 second")),
        ("120ms", SECOND, Amount(0.12, "120 ms = 0.12 second")),
        ("7 s", SECOND, Amount(7)),
        ("-3", ONE, Amount(-3)),
        ("93 %", ONE, Amount(0.93, "93 % = 0.93")),
        ("100%", ONE, Amount(1.0, "100 % = 1")),
        ("40 GiB", BYTE, Amount(42949672960, "40 GiB = 42949672960 byte")),
        ("40 GB", BYTE, Amount(40000000000, "40 GB = 40000000000 byte")),
        ("1500 mW", WATT, Amount(1.5, "1500 mW = 1.5 watt")),
        ("1e3 tok/s", parse_unit("token/s"), Amount(1000.0)),
        ("0.5 1/s", parse_unit("1/s"), Amount(0.5)),
        ("250 µs", SECOND, Amount(0.00025, "250 µs = 0.00025 second")),
    ],
)
def test_amount_is_read_in_the_base_unit(text: str, unit: Unit, amount: Amount) -> None:
    assert amount_of(text, unit) == amount


def test_unit_behind_the_number_wins_over_the_column() -> None:
    assert amount_of("2 ms", SECOND, written_in="us") == Amount(0.002, "2 ms = 0.002 second")
    assert amount_of("2", SECOND, written_in="us") == Amount(2e-06, "2 us = 2e-06 second")


@pytest.mark.parametrize(
    ("text", "unit", "why"),
    [
        ("fast", SECOND, "'fast' is not a number"),
        ("1,000", SECOND, "'1,000' is not a number"),
        ("1_000", SECOND, "'1_000' is not a number"),
        ("0x10", ONE, "no unit is called 'x10'"),
        ("3 GiB", SECOND, "'3 GiB' is in 'GiB', which is no unit of second"),
        ("5 %", SECOND, "'5 %' is in '%', which is no unit of second"),
        ("5 furlong", ONE, "no unit is called 'furlong'"),
        ("1" * 101, ONE, f"'{'1' * 59}…' is not a number"),
    ],
)
def test_amount_that_cannot_be_read_says_why(text: str, unit: Unit, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        amount_of(text, unit)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "N/A", "[N/A]", "[Not Supported]", "[Unknown Error]", "nan", "NaN", ".nan", "none", "-", "--", "?"],
)
def test_words_for_no_value_are_missing(text: str) -> None:
    assert is_missing(text)


@pytest.mark.parametrize("text", ["0", "inf", "-1", "no", "[", "N/A 5", "x" * 200])
def test_other_words_are_not_missing(text: str) -> None:
    assert not is_missing(text)
