"""The bundle of two trees, kept as one file in the user's cache folder: the same trees need no YAML twice.

The key is the content of every file, so that no change is ever missed, however quick and whatever its times say. Every
failure of the cache, from a read-only home to a broken file, only costs the time of reading the trees.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast, get_args

import orjson

from knockon.curate.files import bytes_in, yaml_files
from knockon.kept import cache_folder, held_in, hold_in, sources_in
from knockon.terms.bundle import Bundle, Entry, Kind, canonical
from knockon.terms.errors import LimitExceeded
from knockon.terms.words import Json

_KINDS = frozenset(get_args(Kind))


def cached_bundle(catalog_dir: Path, rules_dir: Path, *, environment: Mapping[str, str] = os.environ) -> Bundle:
    """The bundle of both trees, from the cache where it holds them exactly as they are now.

    Raises:
        CurationError: like `read_tree`; trees with problems are never cached.
    """
    folder = cache_folder(environment)
    key = _key_of(catalog_dir, rules_dir)
    file = folder / f"bundle-{key[:32]}.json" if folder and key else None
    if file and (held := held_in(file)) is not None and (bundle := _parsed(held)) is not None:
        return bundle
    # The readers of YAML and their shapes cost ten times the start of the program, and mostly they are not needed.
    from knockon.curate.tree import read_tree  # noqa: PLC0415  see above

    read = read_tree(catalog_dir, rules_dir)
    text = _written(read)
    # A file may have changed between the key and the reading; then the bundle belongs to no key.
    if file and key == _key_of(catalog_dir, rules_dir):
        with suppress(OSError):
            hold_in(file, text)
    # As the next one will come: keys of a cached bundle are sorted, and an answer must not hang on where it came from.
    return _parsed(text) or read


def _key_of(catalog_dir: Path, rules_dir: Path) -> str | None:
    """sha256 over the text of this package and path and content of every file; None if one is unreadable."""
    hasher = hashlib.sha256()
    try:
        for part in _parts(catalog_dir, rules_dir):
            hasher.update(len(part).to_bytes(8, "big"))
            hasher.update(part)
    except (OSError, LimitExceeded):
        # The reader says what is wrong with it.
        return None
    return hasher.hexdigest()


def _parts(catalog_dir: Path, rules_dir: Path) -> Iterator[bytes]:
    # Two versions of the program may make different bundles of the same trees, and in a checkout the reader changes
    # without a new version; its own text tells all of them apart.
    yield sources_in(Path(__file__).parent)
    for name, folder in (("catalog", catalog_dir), ("rules", rules_dir)):
        for path, file in yaml_files(folder):
            yield f"{name}/{path}".encode()
            yield bytes_in(file, path)


def _written(bundle: Bundle) -> bytes:
    """The digest and what the entries are, then their bodies end to end: one that nobody asks for is never parsed."""
    bodies = [canonical(entry.body).encode() for entry in bundle.entries]
    table = [[entry.kind, entry.key, len(body)] for entry, body in zip(bundle.entries, bodies, strict=True)]
    return b"\n".join((canonical([bundle.digest, cast("Json", table)]).encode(), b"".join(bodies)))


def _parsed(content: bytes) -> Bundle | None:
    """The bundle that was written; None where the text is of another shape, though whole."""
    head, _, bodies = content.partition(b"\n")
    try:
        digest, table = orjson.loads(head)
        rows = [(cast("Kind", kind), str(key), int(length)) for kind, key, length in table]
    except (ValueError, TypeError):
        return None
    # There is no tree without axes.
    if not isinstance(digest, str) or all(kind != "axes" for kind, _, _ in rows):
        return None
    if sum(length for _, _, length in rows) != len(bodies):
        return None
    entries, start = [], 0
    for kind, key, length in rows:
        body = bodies[start : start + length]
        # A body is a mapping, and is read when somebody asks for it.
        if kind not in _KINDS or body[:1] != b"{" or body[-1:] != b"}":
            return None
        entries.append(Entry(kind, key, orjson.loads, body))
        start += length
    return Bundle.known(entries, digest)
