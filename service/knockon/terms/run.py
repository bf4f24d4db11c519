"""Runs: what a load generator measured at one load. Several of one deployment are a sweep."""

from dataclasses import dataclass

from knockon.terms.reading import Reading


@dataclass(frozen=True, slots=True)
class Run:
    """One load and the readings taken under it."""

    name: str
    """What tells it from the other runs of its text, and what a person picks it by: "2", "concurrency 16"."""
    readings: tuple[Reading, ...]
    load: float | None = None
    """How much was asked for, in the unit of `load_of`; None where nobody says it."""
    load_of: str = ""
    """The reading that the load is: "requested_requests_per_s" or "concurrency_count"; empty without a load."""
    subject: str = ""
    """What was measured (a model, a machine, lengths), where it differs within a text: only equals are one sweep."""
    model: str = ""
    """The model that was asked, where the text says it."""

    def value(self, name: str) -> float | None:
        """The number of one reading; None where it was not measured or is no number."""
        for reading in self.readings:
            held = reading.value
            if reading.name == name and isinstance(held, int | float) and not isinstance(held, bool):
                return float(held)
        return None
