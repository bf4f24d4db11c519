"""What the store gives back: a revision, and what changed between two of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """One immutable published state of catalog and rules."""

    number: int
    """Counts from 1 without gaps."""
    digest: str
    """The digest of its bundle."""
    parent: int | None
    """The revision before it; None for the first."""
    author: str
    message: str
    at: datetime
    """When it was published, in UTC."""
    changed: bool = field(default=True, compare=False)
    """False only on what `publish` gives back when the latest revision held the same bundle already."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between two revisions: keys by kind, sorted; a kind without keys is not there."""

    added: Mapping[str, tuple[str, ...]]
    changed: Mapping[str, tuple[str, ...]]
    removed: Mapping[str, tuple[str, ...]]
