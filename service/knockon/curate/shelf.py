"""What each file of a tree says, kept in the user's cache folder, so that only files that changed are read and checked.

A file is known by its path in the tree and its content, never by its times; the readers' own text is part of the key,
so that another version of the program starts anew. Only what was right is kept: a file with a problem is read again.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

import orjson

from knockon.kept import cache_folder, held_in, hold_in, newest_of, sources_in
from knockon.terms.body import Body
from knockon.terms.bundle import canonical
from knockon.terms.words import Json

Said = tuple[tuple[str | int, ...], str, Body]
"""One body of a file: the steps to it, its key, and the body as its shape gives it."""

# Files of a folder. A small tree is read faster than a cache of it is looked for and written.
_WORTH_KEEPING = 100


class Shelf:
    """What the last reading of a pair of trees found right, by the digest of each file."""

    def __init__(self, file: Path | None, held: bytes | None = None) -> None:
        """`file` is where it is kept, None to keep nothing; `held` what was kept there."""
        self._file = file
        self._bodies: dict[str, list[Said]] = {}
        self._clean: dict[str, str] = {}
        self._clean_trees: dict[str, str] = {}
        self._formatted: set[str] = set()
        if held and (parts := _parts_of(held)) is not None:
            self._bodies, self._clean, self._clean_trees, self._formatted = parts
        self._used: dict[str, list[Said]] = {}
        self._news = 0

    @staticmethod
    def of(catalog_dir: Path, rules_dir: Path, *, environment: Mapping[str, str] = os.environ) -> "Shelf":
        """The shelf of these two folders; an empty one that keeps nothing for small trees and where there is no cache.

        Folders seen for the first time begin with what was found last in others: a second checkout, or a copy.
        """
        folder = cache_folder(environment)
        if folder is None or not (_is_large(catalog_dir) or _is_large(rules_dir)):
            return Shelf(None)
        hasher = hashlib.sha256()
        for text in _program():
            hasher.update(text)
        program = hasher.hexdigest()[:24]
        where = hashlib.sha256("\0".join((str(catalog_dir.absolute()), str(rules_dir.absolute()))).encode())
        file = folder / f"files-{program}.{where.hexdigest()[:16]}.json"
        held = held_in(file)
        if held is None and (other := newest_of(folder.glob(f"files-{program}.*.json"))):
            held = held_in(other)
        return Shelf(file, held)

    def said(self, digest: str) -> list[Said] | None:
        """The bodies of the file with this digest; None when it has to be read."""
        found = self._used.get(digest)
        if found is None and (found := self._bodies.get(digest)) is not None:
            self._used[digest] = found
        return found

    def lacks(self, digest: str) -> bool:
        """Whether the file with this digest has to be read."""
        return digest not in self._used and digest not in self._bodies

    def put(self, digest: str, said: list[Said]) -> None:
        """Keep what was read from a file in which nothing is wrong."""
        self._used[digest] = said
        self._news += 1

    def news(self) -> bytes:
        """What was put there, for `take`."""
        return orjson.dumps({digest: said for digest, said in self._used.items() if digest not in self._bodies})

    def take(self, news: bytes) -> None:
        """Keep what another shelf of the same trees has new."""
        for digest, said in orjson.loads(news).items():
            self.put(digest, said)

    def is_clean(self, digest: str, context: str) -> bool:
        """Whether the file with this digest was checked before in this context, and found right."""
        return self._clean.get(digest) == context

    def found_clean(self, digests: Iterable[str], context: str) -> None:
        """Keep that these files are right in this context."""
        for digest in digests:
            self._news += self._clean.get(digest) != context
            self._clean[digest] = context

    def is_formatted(self, digest: str) -> bool:
        """Whether the file with this digest was found in its canonical form."""
        return digest in self._formatted

    def found_formatted(self, digest: str) -> None:
        """Keep that this file is in its canonical form."""
        self._news += digest not in self._formatted
        self._formatted.add(digest)

    def is_tree_clean(self, checks: str, context: str = "") -> bool:
        """Whether just these files went through these checks before, in this context, and nothing was wrong."""
        return self._clean_trees.get(checks) == self._tree(context)

    def found_tree_clean(self, checks: str, context: str = "") -> None:
        """Keep that all files that were read are right together, as far as these checks go."""
        self._news += not self.is_tree_clean(checks, context)
        self._clean_trees[checks] = self._tree(context)

    def _tree(self, context: str) -> str:
        return hashlib.sha256(" ".join((context, *sorted(self._used))).encode()).hexdigest()

    def close(self) -> None:
        """Write what is new; a failure costs the next reader its time, and nobody anything else."""
        if self._file is None or not self._news:
            return
        with suppress(OSError, TypeError):
            clean = {digest: context for digest, context in self._clean.items() if digest in self._used}
            formatted = sorted(self._formatted.intersection(self._used))
            hold_in(self._file, orjson.dumps([self._used, clean, self._clean_trees, formatted]))


def _parts_of(held: bytes) -> tuple[dict[str, list[Said]], dict[str, str], dict[str, str], set[str]] | None:
    """What `close` wrote; None where the text is of another shape, though whole."""
    try:
        bodies, clean, clean_trees, formatted = orjson.loads(held)
        fits = all(
            isinstance(steps, list) and isinstance(key, str) and isinstance(body, dict)
            for said in bodies.values()
            for steps, key, body in said
        )
        texts = all(isinstance(one, str) for one in (*clean.values(), *clean_trees.values(), *formatted))
    except (ValueError, TypeError, AttributeError):
        return None
    return (bodies, clean, clean_trees, set(formatted)) if fits and texts else None


def digest_of(path: str, content: bytes) -> str:
    """What a file is known by: its path in the tree, `catalog/…` or `rules/…`, and its content."""
    hasher = hashlib.blake2b(path.encode(), digest_size=16)
    hasher.update(b"\0")
    hasher.update(content)
    return hasher.hexdigest()


def context_of(bodies: Iterable[Body]) -> str:
    """What the checks of one file go by beside the file itself, as one digest."""
    hasher = hashlib.blake2b(digest_size=16)
    for body in bodies:
        hasher.update(canonical(dict[str, Json](body)).encode())
    return hasher.hexdigest()


def _is_large(folder: Path) -> bool:
    return sum(1 for _ in islice(folder.rglob("*.yaml"), _WORTH_KEEPING)) == _WORTH_KEEPING


def _program() -> Iterator[bytes]:
    """Everything that decides how a file is read and what is right in it."""
    root = Path(__file__).parent.parent
    for package in ("backends", "curate", "expr", "rules", "terms"):
        yield sources_in(root / package)
