"""The three truths and Kleene's connectives over them."""

from collections.abc import Iterable
from enum import Enum


class Truth(Enum):
    """TRUE, FALSE, or UNKNOWN (it cannot be told from what is known). A rule fires on TRUE only."""

    TRUE = True
    FALSE = False
    UNKNOWN = None

    @staticmethod
    def of(value: bool | None) -> "Truth":
        """The truth a plain `True`, `False` or `None` (unknown) stands for."""
        return Truth.UNKNOWN if value is None else Truth.TRUE if value else Truth.FALSE

    def __invert__(self) -> "Truth":
        return self if self is Truth.UNKNOWN else Truth.FALSE if self is Truth.TRUE else Truth.TRUE


def all_of(truths: Iterable[Truth]) -> Truth:
    """Kleene's `and`: FALSE wins, then UNKNOWN; TRUE of nothing."""
    seen = set(truths)
    return Truth.FALSE if Truth.FALSE in seen else Truth.UNKNOWN if Truth.UNKNOWN in seen else Truth.TRUE


def any_of(truths: Iterable[Truth]) -> Truth:
    """Kleene's `or`: TRUE wins, then UNKNOWN; FALSE of nothing."""
    seen = set(truths)
    return Truth.TRUE if Truth.TRUE in seen else Truth.UNKNOWN if Truth.UNKNOWN in seen else Truth.FALSE
