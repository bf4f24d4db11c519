"""Series: one reading over time, for trends, durations and spread. A gap is a gap, never a zero."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one reading at one replica, oldest first.

    `at_s` and `values` have the same length and are both non-empty; times are Unix seconds and rise strictly. A sample
    that was missing or invalid is left out, so a long step between two times is a hole in the data. A truth is 1 or 0.
    """

    name: str
    at_s: tuple[float, ...]
    values: tuple[float, ...]
    origin: str
    """For people: the query or the column the values come from."""
    replica: str = ""
    """Rank or replica; empty for the whole deployment."""
    model: str = ""
    """The served model, where the source tells models apart."""

    def __post_init__(self) -> None:
        if not self.at_s or len(self.at_s) != len(self.values):
            raise ValueError(f"series {self.name!r}: {len(self.at_s)} times for {len(self.values)} values")
        if any(later <= earlier for earlier, later in zip(self.at_s, self.at_s[1:], strict=False)):
            raise ValueError(f"series {self.name!r}: times must rise")

    @property
    def span_s(self) -> float:
        """Seconds from the first to the last value."""
        return self.at_s[-1] - self.at_s[0]
