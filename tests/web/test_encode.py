import json
from typing import Any

import pytest

from knockon.api.scalars import SCALARS, BigInt, Value
from knockon.web.encode import encoded


@pytest.mark.parametrize(
    ("given", "written"),
    [
        pytest.param(2**63, b"9223372036854775808", id="64 bits"),
        pytest.param(2**64, b"18446744073709551616", id="over 64 bits"),
        pytest.param(-(2**70), b"-1180591620717411303424", id="below"),
        pytest.param([1, {"a": 10**30}], b'[1,{"a":1000000000000000000000000000000}]', id="inside"),
        pytest.param(10**4_000, b"1" + b"0" * 4_000, id="thousands of digits"),
        pytest.param(10**5_000, b"null", id="more digits than Python writes"),
        pytest.param([2**64, float("inf")], b"[18446744073709551616,null]", id="beside what is not finite"),
        pytest.param(["\ud800", True, None, 0.5], b'["\\ud800",true,null,0.5]', id="half a pair"),
        pytest.param([2**64, "\u663e\u5b58"], b'[18446744073709551616,"\\u663e\\u5b58"]', id="Chinese"),
    ],
)
def test_whatever_is_given_is_written(given: Any, written: bytes) -> None:
    assert encoded({"data": given}) == b'{"data":' + written + b"}"


def test_both_encoders_write_the_same() -> None:
    plain = {"a": [1, 0.1, "\u663e \u5b58", True, None], "b": {"c": -5}}

    assert json.loads(encoded(plain)) == plain
    assert json.loads(encoded({**plain, "d": 2**64})) == {**plain, "d": 2**64}


def test_what_is_nested_deeper_than_the_fast_encoder_goes_is_written() -> None:
    nested: Any = 1
    for _ in range(400):
        nested = [nested]

    assert encoded({"data": nested}) == b'{"data":' + b"[" * 400 + b"1" + b"]" * 400 + b"}"


@pytest.mark.parametrize("scalar", [BigInt, Value])
def test_scalars_let_numbers_over_64_bits_through_to_the_encoder(scalar: object) -> None:
    shown = SCALARS[scalar].serialize
    assert shown is not None

    assert encoded({"data": shown(2**80)}) == b'{"data":1208925819614629174706176}'
