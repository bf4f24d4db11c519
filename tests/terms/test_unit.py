import pytest

from knockon.terms.errors import UnitProblem
from knockon.terms.unit import LITERAL_UNITS, ONE, Unit, divide, multiply, parse_unit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1", "1"),
        ("", "1"),
        ("byte", "byte"),
        ("bytes/token", "byte/token"),
        ("B/s", "byte/second"),
        ("byte/token/request", "byte/request/token"),
        ("1/s", "1/second"),
        ("Hz", "1/second"),
        ("watt * second", "second*watt"),
        ("J/token", "second*watt/token"),
        ("byte^2/byte", "byte"),
        ("token/token", "1"),
    ],
)
def test_unit_is_read_and_shown_in_base_units(text: str, shown: str) -> None:
    assert str(parse_unit(text)) == shown
    assert parse_unit(shown) == parse_unit(text)


@pytest.mark.parametrize(
    ("text", "at", "what"),
    [
        ("bytes/tokn", (6, 10), "`tokn` is not a base unit"),
        ("GiB", (0, 3), "`GiB` is not a base unit"),
        ("byte token", (5, 10), "the unit cannot be read"),
        ("/s", (0, 2), "the unit cannot be read"),
        ("byte/", (4, 5), "the unit cannot be read"),
        ("byte^0", (4, 6), "the unit cannot be read"),
        ("percent", (0, 7), "`percent` is not a base unit"),
    ],
)
def test_what_is_no_unit_is_refused_at_its_place(text: str, at: tuple[int, int], what: str) -> None:
    with pytest.raises(UnitProblem) as raised:
        parse_unit(text)

    error = raised.value
    assert (error.code, (error.span.start, error.span.end), error.problem.what) == ("unknown-unit", at, what)


def test_scaled_unit_is_refused_with_its_base() -> None:
    with pytest.raises(UnitProblem) as raised:
        parse_unit("ms")

    assert raised.value.problem.fix == "give values in second"


def test_product_and_quotient_combine_and_cancel() -> None:
    byte, token = parse_unit("byte"), parse_unit("token")

    assert multiply(divide(byte, token), token) == byte
    assert divide(byte, byte) == ONE
    assert multiply(byte, byte) == Unit((("byte", 2),))


@pytest.mark.parametrize(
    ("unit", "value", "base"),
    [
        ("GiB", 80, 85899345920),
        ("GB", 80, 80_000_000_000),
        ("ms", 3, 0.003),
        ("ms", 0.3, 0.0003),
        ("h", 2, 7200),
        ("kW", 0.7, 700.0),
    ],
)
def test_literal_is_put_in_base_units_exactly(unit: str, value: float, base: float) -> None:
    found = LITERAL_UNITS[unit].in_base(value)

    assert (found, type(found)) == (base, type(base))
