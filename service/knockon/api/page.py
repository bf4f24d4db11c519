"""Relay pages with keyset cursors: a cursor says after which key to go on, so that pages hold when things are added.

A cursor is the sort key itself, not a position: on a later revision, or after its own item was removed, the next page
starts with the next key.
"""

import base64
import binascii
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX

T = TypeVar("T")
# First thing in every cursor, so that each way of sorting can tell its own cursors from the others.
_SORTED_BY_KEY = "k"
SORTED_BY_TIME = "t"


@dataclass(frozen=True, slots=True)
class Asked:
    """The four arguments of a Relay connection."""

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Edge(Generic[T]):
    """One item with its cursor."""

    cursor: str
    node: T


@dataclass(frozen=True, slots=True)
class PageInfo:
    """Where a page lies."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page."""

    edges: tuple[Edge[T], ...]
    page_info: PageInfo
    total_count: int

    @property
    def nodes(self) -> tuple[T, ...]:
        """The items without their cursors."""
        return tuple(edge.node for edge in self.edges)


def page_of(items: Sequence[T], asked: Asked, *, key: Callable[[T], str]) -> Page[T]:
    """The page of `items` that is asked for.

    Args:
        items: All items, sorted by `key` in rising order; keys are unique.
        asked: Where the page starts or ends, and its size.
        key: The sort key of an item.

    Raises:
        IntakeError: a cursor is none of ours, or first and last are given together or below 0.
        LimitExceeded: first or last is over PAGE_SIZE_MAX.
    """
    start = bisect_right(items, key_of(asked.after, "after"), key=key) if asked.after is not None else 0
    end = bisect_left(items, key_of(asked.before, "before"), key=key) if asked.before is not None else len(items)
    end = max(start, end)
    size = page_size(asked)
    if asked.last is not None:
        start = max(start, end - size)
    else:
        end = min(end, start + size)
    edges = tuple(Edge(cursor_of(key(item)), item) for item in items[start:end])
    return Page(
        edges=edges,
        page_info=PageInfo(
            has_next_page=end < len(items),
            has_previous_page=start > 0,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
        ),
        total_count=len(items),
    )


def cursor_of(key: str, *, sorted_by: str = _SORTED_BY_KEY) -> str:
    """The cursor of a sort key; opaque to clients."""
    return base64.urlsafe_b64encode(f"{sorted_by}:{key}".encode()).decode().rstrip("=")


def key_of(cursor: str, argument: str, *, sorted_by: str = _SORTED_BY_KEY) -> str:
    """The sort key in a cursor; raises IntakeError where the cursor is none of this way of sorting."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        text = ""
    kind, separator, key = text.partition(":")
    if kind != sorted_by or not separator:
        raise bad_cursor(cursor, argument)
    return key


def bad_cursor(cursor: str, argument: str) -> IntakeError:
    """The refusal of a text that is no cursor."""
    return IntakeError(
        Problem(
            "bad-cursor",
            f"{argument} is no cursor: {cursor[:80]!r}",
            expected="a cursor from an earlier page",
            fix=f"leave {argument} out to start at the beginning",
        )
    )


def page_size(asked: Asked) -> int:
    """The size that is asked for; raises IntakeError and LimitExceeded."""
    if asked.first is not None and asked.last is not None:
        raise IntakeError(Problem("bad-page", "first and last are given together", "one of them", "leave last out"))
    name, size = ("last", asked.last) if asked.last is not None else ("first", asked.first)
    if size is None:
        return PAGE_SIZE_DEFAULT
    if size < 0:
        raise IntakeError(Problem("bad-page", f"{name} cannot be {size}", expected=f"0 to {PAGE_SIZE_MAX}"))
    if size > PAGE_SIZE_MAX:
        raise LimitExceeded(
            f"{name}, the size of a page,", limit=PAGE_SIZE_MAX, found=size, fix="ask for the next page"
        )
    return size
