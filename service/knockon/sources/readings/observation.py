"""One observation of a report as it is written."""

from dataclasses import dataclass

from knockon.sources.document import Word
from knockon.sources.readings.spelling import plain


@dataclass(frozen=True, slots=True)
class Seen:
    """A free name with what stands behind it."""

    metric: str
    numbers: tuple[float, ...]
    """One number, or the values of a range or list; empty where the value is no number."""
    text: str
    """The value where it is words, else empty."""
    unit: str
    word: Word

    @property
    def name(self) -> str:
        """The free name without case and signs."""
        return plain(self.metric)
