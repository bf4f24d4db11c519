"""The bundle: catalog and rules as plain canonical bodies; YAML trees, database revisions and caches all carry it."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from knockon.terms.words import Json

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
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing of the catalog or the rules. `body` has the keys of its YAML shape, defaults left out."""

    kind: Kind
    key: str
    body: Mapping[str, Json]


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
        groups: dict[str, dict[str, Mapping[str, Json]]] = {}
        for entry in self.entries:
            groups.setdefault(entry.kind, {})[entry.key] = entry.body
        return groups

    def of_kind(self, kind: Kind) -> Iterator[tuple[str, Mapping[str, Json]]]:
        """(key, body) of every entry of `kind`, by key."""
        yield from self.by_kind.get(kind, {}).items()
