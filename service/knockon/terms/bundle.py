"""The bundle: catalog and rules as plain canonical bodies; YAML trees, database revisions and caches all carry it."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from knockon.terms.ondemand import OnDemand
from knockon.terms.words import Json

Value = TypeVar("Value")

Kind = Literal[
    "axes",
    "cell",
    "citation",
    "technique",
    "quantity",
    "model",
    "gpu",
    "vocabulary",
    "wall",
    "profile",
    "couple",
    "diagnose",
    "symptom",
    "precedent",
]


class Entry:
    """One thing of the catalog or the rules."""

    __slots__ = ("_held", "_text", "key", "kind")

    def __init__(
        self,
        kind: Kind,
        key: str,
        body: Mapping[str, Json] | Callable[[bytes], Mapping[str, Json]],
        text: bytes = b"",
    ) -> None:
        """`body`, or what reads it out of its canonical `text` when it is first asked for."""
        self.kind = kind
        self.key = key
        self._held = body
        self._text = text

    @property
    def body(self) -> Mapping[str, Json]:
        """It has the keys of the entry's YAML shape, defaults left out."""
        held = self._held
        if callable(held):
            self._held = held = held(self._text)
        return held

    def may_state(self, key: str) -> bool:
        """Whether the body may have that key; a body that nobody asked for is not read for it."""
        return f'"{key}":'.encode() in self._text if self._text else key in self.body

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entry):
            return NotImplemented
        return (self.kind, self.key, self.body) == (other.kind, other.key, other.body)

    __hash__ = None  # type: ignore[assignment]  # a body has no hash either

    def __repr__(self) -> str:
        return f"Entry({self.kind!r}, {self.key!r}, {self.body!r})"


def canonical(body: Json | Mapping[str, Json]) -> str:
    """The one text of a body: sorted keys, no spaces, non-ASCII kept. Equal bodies have equal texts."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Bundle:
    """All entries of one state of catalog and rules, unique by (kind, key)."""

    entries: tuple[Entry, ...]

    @staticmethod
    def of(entries: Iterable[Entry]) -> "Bundle":
        """A bundle in its canonical order (kind, then key)."""
        return Bundle(tuple(sorted(entries, key=lambda entry: (entry.kind, entry.key))))

    @staticmethod
    def known(entries: Iterable[Entry], digest: str) -> "Bundle":
        """A bundle whose digest is known already, its entries in canonical order."""
        bundle = Bundle(tuple(entries))
        bundle.__dict__["digest"] = digest
        return bundle

    @cached_property
    def digest(self) -> str:
        """sha256 over the canonical text of every entry; equal digest means nothing changed."""
        hasher = hashlib.sha256()
        for entry in self.entries:
            hasher.update(f"{entry.kind}\n{entry.key}\n{canonical(entry.body)}\n".encode())
        return hasher.hexdigest()

    @cached_property
    def by_kind(self) -> Mapping[str, Mapping[str, Mapping[str, Json]]]:
        """Bodies by kind, then by key."""
        return {kind: OnDemand(entries, _body) for kind, entries in self._entries.items()}

    @cached_property
    def _entries(self) -> Mapping[str, Mapping[str, Entry]]:
        groups: dict[str, dict[str, Entry]] = {}
        for entry in self.entries:
            groups.setdefault(entry.kind, {})[entry.key] = entry
        return groups

    def of_kind(self, kind: Kind) -> Iterator[tuple[str, Mapping[str, Json]]]:
        """(key, body) of every entry of `kind`, by key."""
        yield from self.by_kind.get(kind, {}).items()

    def made(self, kind: Kind, make: Callable[[str, Mapping[str, Json]], Value]) -> OnDemand[str, Entry, Value]:
        """What `make` makes of key and body of each entry of `kind`, by key, each when it is asked for."""
        return OnDemand(self._entries.get(kind, {}), lambda key, entry: make(key, entry.body))

    def that_may_state(self, kind: Kind, key: str) -> Iterator[str]:
        """The entries of `kind` whose body may have `key`, by their own keys: all that do, and seldom another."""
        return (name for name, entry in self._entries.get(kind, {}).items() if entry.may_state(key))


def _body(_key: str, entry: Entry) -> Mapping[str, Json]:
    return entry.body
