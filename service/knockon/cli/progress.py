"""A progress bar on standard error, where that is a terminal and there is something to wait for."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

Item = TypeVar("Item")

_WIDTH = 30
# Redrawn more often it would only flicker.
_EVERY_S = 0.1
# Fewer are done before anybody has read the bar.
_LEAST = 10


def tracked(items: Iterable[Item], *, count: int, stream: TextIO | None = None) -> Iterator[Item]:
    """The items, while a bar shows how many of `count` are done; the bar is gone when the last is."""
    stream = stream or sys.stderr
    if count < _LEAST or not stream.isatty():
        yield from items
        return
    drawn_at = 0.0
    try:
        for index, item in enumerate(items):
            now = time.monotonic()
            if now - drawn_at >= _EVERY_S:
                drawn_at = now
                filled = _WIDTH * index // count
                bar = "█" * filled + "·" * (_WIDTH - filled)
                _write(stream, f"\r{bar} {index:,}/{count:,}")
            yield item
    finally:
        _write(stream, "\r\033[K")


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except UnicodeEncodeError:
        stream.write(text.replace("█", "#").replace("·", "."))
        stream.flush()
