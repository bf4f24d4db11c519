"""What follows from a load generator's numbers: shares, means, the load, and whether they can be what they say."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from knockon.sources.result_number import Number
from knockon.terms.reading import Reading

# Latencies of which a client says 0 where it did not see the token.
_LATENCIES = ("ttft_s_", "itl_s_", "e2e_s_")
_FIRST_TOKEN = ("ttft_s_", "itl_s_")
_SHARES = ("p50", "p95", "p99")
_ZERO = "exactly 0: it was not measured"
_NO_STREAM = "the answers were not streamed, so no client saw a first token"
# The time per token follows from few tokens only as well as the first token's time is known.
_TOKENS_MIN = 8
# Quantiles that are one number to this share are one measurement.
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Said:
    """What a result says beside readings."""

    numbers: Mapping[str, Number]
    """By name of `KNOWN`."""
    streamed: bool | None = None
    """Whether the client asked for a stream; None where the result does not say it."""

    def value(self, name: str) -> float | None:
        """The number under a name of `KNOWN`; None where it is not said or is none."""
        number = self.numbers.get(name)
        return None if number is None else number.value

    def is_unlimited(self, name: str) -> bool:
        """Whether the result says that there is no limit: infinite, or null."""
        number = self.numbers.get(name)
        return number is not None and number.value is None


def not_streamed(readings: Iterable[Reading], said: Said) -> list[Reading]:
    """The readings, without latencies that nobody measured; whether answers were streamed is one of them."""
    readings = list(readings)
    values = {one.name: one.value for one in readings if one.state == "measured"}
    streamed = _streamed(values, said)
    kept = [_unseen(one, streamed) for one in readings]
    if streamed is None:
        return kept
    first = next((one.origin for one in readings if one.name.startswith("ttft_s_")), "the client's settings")
    origin = first.partition(",")[0]
    return [*kept, Reading("answers_streamed", streamed, origin, quality="derived")]


def _streamed(values: Mapping[str, object], said: Said) -> bool | None:
    if said.streamed is not None:
        return said.streamed
    pairs = [(values.get(f"ttft_s_{share}"), values.get(f"e2e_s_{share}")) for share in _SHARES]
    both = [
        (first, whole) for first, whole in pairs if isinstance(first, int | float) and isinstance(whole, int | float)
    ]
    # A client that gets the answer in one piece writes 0 for the first token, or the time of the whole answer.
    if both and all(first == 0 < whole for first, whole in both):
        return False
    if len(both) > 1 and all(abs(first - whole) <= _SAME * whole for first, whole in both):
        return False
    seen = any(isinstance(first, int | float) and first > 0 for first, _ in pairs)
    return True if seen else None


def _unseen(one: Reading, streamed: bool | None) -> Reading:
    if one.state != "measured" or not one.name.startswith(_LATENCIES):
        return one
    why = _NO_STREAM if streamed is False and one.name.startswith(_FIRST_TOKEN) else _ZERO if one.value == 0 else ""
    return replace(one, value=None, state="missing", why=why, raw=str(one.value)) if why else one


def derived(readings: Iterable[Reading], said: Said, *, at: str) -> list[Reading]:
    """Readings that follow from `said` and from one another; what the result gives itself is never replaced."""
    known: dict[str, float] = {}
    names = set()
    for reading in readings:
        names.add(reading.name)
        if isinstance(reading.value, int | float) and not isinstance(reading.value, bool):
            known[reading.name] = float(reading.value)
    added: list[Reading] = []
    for steps in (_counts, _rates, _lengths, _loads, _checks):
        for name, value, how in steps(said, known):
            if name not in names:
                added.append(Reading(name, value, f"{how} in {at}", quality="derived"))
                names.add(name)
                if not isinstance(value, bool):
                    known[name] = float(value)
    return added


_Found = Iterator[tuple[str, int | float | bool, str]]


def _counts(said: Said, known: Mapping[str, float]) -> _Found:
    del known
    finished, failed, started = (said.value(name) for name in ("finished", "failed", "started"))
    if finished is not None:
        yield "finished_request_count", _whole(finished), "finished requests"
        whole = started if failed is None else finished + failed
        if whole:
            yield "success_ratio", min(1.0, finished / whole), f"{finished:g} of {whole:g} requests"
    if (duration := said.value("duration_s")) is not None and duration > 0:
        yield "run_s", duration, "the time of the run"


def _rates(said: Said, known: Mapping[str, float]) -> _Found:
    duration = said.value("duration_s")
    if not duration or duration < 0:
        return
    counted = {
        "requests_per_s": said.value("finished"),
        "output_tokens_per_s": said.value("output_tokens"),
        "prompt_tokens_per_s": said.value("input_tokens"),
    }
    for name, count in counted.items():
        if count is not None and name not in known:
            yield name, count / duration, f"{count:g} over {duration:g} s"


def _lengths(said: Said, known: Mapping[str, float]) -> _Found:
    del known
    finished = said.value("finished")
    for name, mean, total in (
        ("prompt_tokens_mean", said.value("input_mean"), said.value("input_tokens")),
        ("output_tokens_mean", said.value("output_mean"), said.value("output_tokens")),
    ):
        if mean is not None:
            yield name, mean, "the mean length"
        elif total is not None and finished:
            yield name, total / finished, f"{total:g} tokens of {finished:g} requests"


def _loads(said: Said, known: Mapping[str, float]) -> _Found:
    rate, limit = said.value("rate_asked"), said.value("concurrency_asked")
    if rate:
        yield "requested_requests_per_s", rate, "the rate that was asked for"
    if (sent := said.value("rate_sent")) is not None:
        yield "sent_requests_per_s", sent, "the rate that was sent"
    if limit and rate:
        yield "concurrency_limit_count", _whole(limit), "the client's limit"
    finished = known.get("finished_request_count")
    if (mean := said.value("in_flight_mean")) is not None and mean > 0:
        yield "concurrency_count", mean, "requests in flight, mean"
    elif limit and not rate:
        yield "concurrency_count", _whole(limit), "the concurrency that was asked for"
    elif finished and said.is_unlimited("rate_asked") and said.is_unlimited("concurrency_asked"):
        yield "concurrency_count", _whole(finished), "every request sent at once"
    elif finished and (said.value("in_flight_peak") or 0) >= finished:
        yield "concurrency_count", _whole(finished), "every request in flight at once"
    elif (latency := said.value("e2e_mean_s")) and "requests_per_s" in known:
        yield "concurrency_count", latency * known["requests_per_s"], "requests a second times their mean latency"


def _checks(said: Said, known: Mapping[str, float]) -> _Found:
    got, asked = known.get("output_tokens_mean"), said.value("output_asked")
    if got is not None and asked is not None and asked > 0:
        yield "output_length_share_ratio", min(1.0, got / asked), f"{got:g} of {asked:g} tokens asked for"
    if (warm_up := said.value("warm_up")) is not None and warm_up > 0:
        yield "warm_up_included", False, f"{warm_up:g} requests before the run"
    first, each, whole = (said.value(name) for name in ("ttft_mean_s", "tpot_mean_s", "e2e_mean_s"))
    if first and each and whole and got is not None and got >= _TOKENS_MIN and whole > first:
        follows = (whole - first) / (got - 1)
        how = f"time per token {each:.4g} s as written, {follows:.4g} s from latency, first token and length"
        yield "method_disagreement_factor", max(each, follows) / min(each, follows), how


def _whole(number: float) -> int | float:
    return int(number) if number == int(number) else number
