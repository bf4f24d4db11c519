"""Single requests of a run, where a result lists them: quantiles it left out, and whether the first ones stand out."""

import math
from collections.abc import Sequence

from knockon.sources.result_text import Result
from knockon.terms.reading import Reading
from knockon.terms.words import Json

# Under so many requests the first ones are as good as all.
_REQUESTS_MIN = 50
# First requests this much slower than nearly all others met compilation or cold caches.
_SLOW_FIRST = 2.0


def details_of(result: Result) -> tuple[Reading, ...]:
    """Readings from the lists `ttfts`, `input_lens` and `output_lens` of one result, in the order of sending."""
    found: list[Reading] = []
    for name, key, share in (
        ("ttft_s_p95", "ttfts", 0.95),
        ("prompt_tokens_p50", "input_lens", 0.5),
        ("prompt_tokens_p95", "input_lens", 0.95),
        ("output_tokens_p50", "output_lens", 0.5),
    ):
        values = positive(result.data.get(key))
        if values:
            origin = f"{key} of {len(values)} requests in {result.at}"
            found.append(Reading(name, quantile(values, share), origin, quality="derived"))
    return (*found, *warm_up_of(positive(result.data.get("ttfts")), f"ttfts in {result.at}"))


def warm_up_of(firsts: Sequence[float], origin: str) -> tuple[Reading, ...]:
    """Whether the first of the times to first token, in order of sending, stand out above nearly all later ones."""
    if len(firsts) < _REQUESTS_MIN:
        return ()
    count = max(1, len(firsts) // 100)
    is_slow = quantile(firsts[:count], 0.5) > _SLOW_FIRST * quantile(firsts[count:], 0.99)
    return (Reading("warm_up_included", is_slow, f"the first {count} of {origin}", quality="derived"),)


def positive(raw: Json) -> list[float]:
    """The numbers over 0 of a list: a request that failed has 0 in its place."""
    if not isinstance(raw, list):
        return []
    return [
        float(one)
        for one in raw
        if isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one) and one > 0
    ]


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile of values in any order, between neighbours as NumPy's default does it; `values` is not empty."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
