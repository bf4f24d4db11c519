"""Whole answers that were given already. A revision never changes, so neither does an answer on it within one day.

The key of an answer holds all that it depends on: the document, its variables, the operation. Whoever keeps them
forgets all at once when the revision or the day is another. Should an answer ever depend on who asks, that belongs in
the key too.
"""

from collections import OrderedDict
from dataclasses import dataclass

# What one entry takes beside its key and body: objects, dictionary slots.
_ENTRY_BYTES = 400
# One answer may take this share of the whole; a larger one would push out too many others.
_SHARE = 16


@dataclass(frozen=True, slots=True)
class Kept:
    """One answer, ready to be sent."""

    status: int
    body: bytes
    label: str
    """What was asked, for figures."""


class Answers:
    """Answers by key, within a number of bytes; the longest unused falls out first."""

    def __init__(self, bytes_max: int) -> None:
        """Keep at most `bytes_max`; 0 keeps nothing."""
        self._bytes_max = bytes_max
        self._kept: OrderedDict[bytes, Kept] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: bytes) -> Kept | None:
        """The answer kept under `key`."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: bytes, answer: Kept) -> None:
        """Keep an answer, unless it is too large to be worth it."""
        size = _size(key, answer)
        if size * _SHARE > self._bytes_max or key in self._kept:
            return
        self._kept[key] = answer
        self.bytes += size
        while self.bytes > self._bytes_max:
            old_key, old = self._kept.popitem(last=False)
            self.bytes -= _size(old_key, old)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self.bytes = 0


def _size(key: bytes, answer: Kept) -> int:
    return len(key) + len(answer.body) + _ENTRY_BYTES
