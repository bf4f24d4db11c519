"""The bundle of two trees, kept as one JSON file in the user's cache folder: the same trees need no YAML twice.

The key is the content of every file, so that no change is ever missed, however quick and whatever its times say. Every
failure of the cache, from a read-only home to a broken file, only costs the time of reading the trees.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import orjson

from knockon.curate.files import yaml_files
from knockon.kept import cache_folder, held_in, hold_in, sources_in
from knockon.terms.bundle import Bundle, Entry, canonical
from knockon.terms.limits import YAML_BYTES_MAX


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
    except OSError:
        return None
    return hasher.hexdigest()


def _parts(catalog_dir: Path, rules_dir: Path) -> Iterator[bytes]:
    # Two versions of the program may make different bundles of the same trees, and in a checkout the reader changes
    # without a new version; its own text tells all of them apart.
    yield from sources_in(Path(__file__).parent)
    for name, folder in (("catalog", catalog_dir), ("rules", rules_dir)):
        for path, file in yaml_files(folder):
            yield f"{name}/{path}".encode()
            # One byte more than is read at most: what is too large is refused by the reader, not here.
            with file.open("rb") as stream:
                yield stream.read(YAML_BYTES_MAX + 1)


def _written(bundle: Bundle) -> bytes:
    """The digest, then the entries: making the digest anew costs more than reading all the rest."""
    text = canonical([[entry.kind, entry.key, dict(entry.body)] for entry in bundle.entries])
    return f"{bundle.digest}\n{text}".encode()


def _parsed(content: bytes) -> Bundle | None:
    digest, _, text = content.partition(b"\n")
    try:
        return Bundle.known((Entry(kind, key, body) for kind, key, body in orjson.loads(text)), digest.decode())
    except ValueError:
        return None
