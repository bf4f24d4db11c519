"""Scrapes of one system, one after the other: rates between them, restarts without a number, times that rise."""

import pytest

from knockon.sources.base import Taken
from knockon.sources.in_a_row import read_in_a_row
from knockon.terms.errors import IntakeError
from tests.sources.vocabulary import shipped_vocabulary


def scrape(tokens: float, usage: float, at_ms: int | None = None) -> str:
    """A scrape of vLLM, with a time or without."""
    at = f" {at_ms}" if at_ms is not None else ""
    return (
        f'vllm:generation_tokens_total{{engine="0",model_name="m"}} {tokens}{at}\n'
        f'vllm:kv_cache_usage_perc{{engine="0",model_name="m"}} {usage}{at}\n'
    )


def read(*texts: str, elapsed_s: float | None = None) -> Taken:
    """The scrapes in this order."""
    named = [(f"{index}.prom", text) for index, text in enumerate(texts)]
    return read_in_a_row(named, vocabulary=shipped_vocabulary(), elapsed_s=elapsed_s)


def points(taken: Taken, name: str) -> list[tuple[float, float]]:
    """The series of one reading."""
    return [pair for one in taken.series if one.name == name for pair in zip(one.at_s, one.values, strict=True)]


def test_rates_are_between_each_scrape_and_the_one_before() -> None:
    taken = read(scrape(0, 0.1), scrape(300, 0.2), scrape(900, 0.3), elapsed_s=30)

    assert points(taken, "output_tokens_per_s") == [(30.0, 10.0), (60.0, 20.0)]
    assert points(taken, "kv_cache_usage_ratio") == [(0.0, 0.1), (30.0, 0.2), (60.0, 0.3)]
    assert {one.name: one.value for one in taken.readings}["output_tokens_per_s"] == 20.0


def test_counter_that_was_reset_gives_no_rate() -> None:
    taken = read(scrape(0, 0.1), scrape(300, 0.2), scrape(30, 0.3), scrape(330, 0.3), elapsed_s=30)

    assert points(taken, "output_tokens_per_s") == [(30.0, 10.0), (90.0, 10.0)]


def test_texts_may_say_their_times() -> None:
    taken = read(scrape(0, 0.1, 1_764_410_400_000), scrape(300, 0.2, 1_764_410_460_000))

    assert points(taken, "output_tokens_per_s") == [(1_764_410_460.0, 5.0)]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((scrape(0, 0.1), scrape(1, 0.1)), "0.prom:1:1: 0.prom does not say of which time it is; give the seconds"),
        ((scrape(0, 0.1, 9_000_000), scrape(1, 0.1, 8_000_000)), "1.prom:1:1: 1.prom is not of a later time"),
    ],
)
def test_times_that_are_not_known_or_do_not_rise_are_refused(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(IntakeError) as caught:
        read(*texts)

    assert str(caught.value).startswith(message)
