"""Readings that cannot be are told with the reason, and no rule sees them."""

import pytest

from knockon.rules.intake import take
from knockon.terms.reading import Reading
from tests.shipped import shipped

QUANTILES = [(name, kind.quantile) for name, kind in shipped().rulebook.readings.items() if kind.quantile is not None]
PAIRS = [
    (lower, upper)
    for lower, (of, share) in QUANTILES
    for upper, (other, higher) in QUANTILES
    if of == other and share < higher
]


def readings(**values: float) -> list[Reading]:
    return [Reading(name, value, "test") for name, value in values.items()]


def test_every_reading_that_is_called_a_quantile_says_of_what() -> None:
    named = {name for name in shipped().rulebook.readings if name.rpartition("_p")[2].isdecimal()}

    assert {name for name, _ in QUANTILES} == named
    for name, (of, share) in QUANTILES:
        assert name == f"{of}_p{round(share * 100)}"


@pytest.mark.parametrize(("lower", "upper"), PAIRS)
def test_quantiles_out_of_order_are_both_invalid(lower: str, upper: str) -> None:
    intake = take(shipped().rulebook, readings(**{lower: 2.0, upper: 1.0, "requests_per_s": 3.0}))

    assert intake.values == {"requests_per_s": 3.0}
    assert [(one.name, one.raw) for one in intake.invalid] == [(lower, "2.0"), (upper, "1.0")]
    assert intake.invalid[0].why == (
        f"{lower} 2 and {upper} 1 cannot both be: of one distribution a higher quantile is never less"
    )


@pytest.mark.parametrize(("lower", "upper"), PAIRS)
def test_quantiles_in_order_or_equal_are_taken(lower: str, upper: str) -> None:
    for value in (1.0, 2.0):
        intake = take(shipped().rulebook, readings(**{lower: 1.0, upper: value}))
        assert (intake.values, intake.invalid) == ({lower: 1.0, upper: value}, ())


def test_quantiles_of_other_replicas_and_distributions_say_nothing_of_one_another() -> None:
    intake = take(
        shipped().rulebook,
        [Reading("ttft_s_p50", 3.0, "a", replica="0"), Reading("ttft_s_p95", 1.0, "b", replica="1"),
         Reading("itl_s_p95", 0.1, "c", replica="0")],
    )  # fmt: skip

    assert intake.invalid == ()


def test_only_the_replica_that_contradicts_itself_is_left_out() -> None:
    wrong = [Reading("ttft_s_p50", 3.0, "a", replica="0"), Reading("ttft_s_p95", 1.0, "a", replica="0")]
    right = [Reading("ttft_s_p50", 1.0, "b", replica="1"), Reading("ttft_s_p95", 2.0, "b", replica="1")]

    intake = take(shipped().rulebook, [*wrong, *right])

    assert intake.values == {"ttft_s_p50": 1.0, "ttft_s_p95": 2.0}
    assert [one.replica for one in intake.invalid] == ["0", "0"]


@pytest.mark.parametrize("name", ["power_limit_w", "expected_output_tokens_per_s"])
def test_nothing_is_no_limit_and_no_expectation(name: str) -> None:
    intake = take(shipped().rulebook, readings(**{name: 0.0, "output_tokens_per_s": 5.0}))

    assert intake.values == {"output_tokens_per_s": 5.0}
    assert [(one.name, one.why) for one in intake.invalid] == [(name, "0 is not above 0")]
