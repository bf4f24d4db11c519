"""The bundle of two trees, kept as one JSON file in the user's cache folder: the same trees need no YAML twice.

The key is the content of every file, so that no change is ever missed, however quick and whatever its times say. Every
failure of the cache, from a read-only home to a broken file, only costs the time of reading the trees.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import orjson

from knockon.curate.files import yaml_files
from knockon.terms.bundle import Bundle, Entry, canonical
from knockon.terms.limits import YAML_BYTES_MAX

_KEPT_MAX = 8
"""Cache files kept; beyond that the oldest go. One per tree and version is what people have."""


def cached_bundle(catalog_dir: Path, rules_dir: Path, *, environment: Mapping[str, str] = os.environ) -> Bundle:
    """The bundle of both trees, from the cache where it holds them exactly as they are now.

    Raises:
        CurationError: like `read_tree`; trees with problems are never cached.
    """
    folder = cache_folder(environment)
    key = _key_of(catalog_dir, rules_dir)
    file = folder / f"bundle-{key[:32]}.json" if folder and key else None
    if file and (held := _load(file)) is not None and (bundle := _parsed(held)) is not None:
        return bundle
    # The readers of YAML and their shapes cost ten times the start of the program, and mostly they are not needed.
    from knockon.curate.tree import read_tree  # noqa: PLC0415  see above

    read = read_tree(catalog_dir, rules_dir)
    text = _written(read)
    # A file may have changed between the key and the reading; then the bundle belongs to no key.
    if file and key == _key_of(catalog_dir, rules_dir):
        with suppress(OSError):
            _save(text, file)
    # As the next one will come: keys of a cached bundle are sorted, and an answer must not hang on where it came from.
    return _parsed(text) or read


def kept(
    name: str, parts: Iterable[bytes], make: Callable[[], bytes], *, environment: Mapping[str, str] = os.environ
) -> bytes | None:
    """What `make` gives, from the cache where an earlier run of this Python kept it; None where there is no cache.

    Args:
        name: the kind of thing, in front of the file's name.
        parts: everything that the bytes follow from.
        make: makes them; its errors pass through.
        environment: says where the cache is.
    """
    folder = cache_folder(environment)
    if folder is None:
        return None
    hasher = hashlib.sha256(sys.version.encode())
    for part in parts:
        hasher.update(len(part).to_bytes(8, "big"))
        hasher.update(part)
    file = folder / f"{name}-{hasher.hexdigest()[:32]}.bin"
    held = _load(file)
    if held is None:
        held = make()
        with suppress(OSError):
            _save(held, file)
    return held


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Where cache files live: `KNOCKON_CACHE_DIR`, else the platform's folder for caches; None without a home.

    An empty `KNOCKON_CACHE_DIR` turns the cache off.
    """
    if (chosen := environment.get("KNOCKON_CACHE_DIR")) is not None:
        return Path(chosen) if chosen else None
    if xdg := environment.get("XDG_CACHE_HOME"):
        return Path(xdg, "knockon")
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return Path(local, "knockon", "cache") if local else None
    home = environment.get("HOME")
    if not home:
        return None
    return Path(home, "Library", "Caches", "knockon") if sys.platform == "darwin" else Path(home, ".cache", "knockon")


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


def sources_in(folder: Path) -> Iterator[bytes]:
    """The text of every module in a package, in order."""
    for file in sorted(folder.rglob("*.py")):
        yield file.read_bytes()


def _load(file: Path) -> bytes | None:
    """The content of a cache file; None where there is none, or not the whole."""
    try:
        checksum, _, content = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest().encode() == checksum else None


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


def _save(text: bytes, file: Path) -> None:
    # It costs as much as reading the cache, and only a run that writes needs it.
    import tempfile  # noqa: PLC0415  see above

    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".kept-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    _forget_old(file.parent)


def _forget_old(folder: Path) -> None:
    for pattern in ("*.json", "*.bin"):
        files = sorted(folder.glob(pattern), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        for file in files[_KEPT_MAX:]:
            file.unlink(missing_ok=True)
