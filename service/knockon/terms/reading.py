"""Readings: named, timed measurements of a running system. Missing and invalid are kept apart from every number."""

from dataclasses import dataclass
from typing import Literal

from knockon.terms.words import Scalar

ReadingState = Literal["measured", "missing", "invalid"]

# How near to the instrument a value is, best first: an instrument's own number; computed from such numbers; what a
# person or a report says; what somebody estimates; what stands in for something else. Confidence falls in this order.
ReadingQuality = Literal["measured", "derived", "reported", "estimated", "assumed"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One measurement. `value` is None exactly when `state` is not "measured"; `why` then says the reason.

    Unit, range and meaning are in rules/vocabulary.yaml under the same name.
    """

    name: str
    value: Scalar | None
    origin: str
    """For people: "vllm:kv_cache_usage_perc{engine=0} in metrics.prom"."""
    state: ReadingState = "measured"
    why: str = ""
    raw: str = ""
    """The text as it stood in the source, for missing and invalid readings."""
    replica: str = ""
    """Rank or replica the reading belongs to; empty for the whole deployment."""
    at_s: float | None = None
    """Unix time of the measurement in seconds, where the source says it."""
    model: str = ""
    """The served model the reading is about, where its source tells models apart."""
    quality: ReadingQuality = "measured"
