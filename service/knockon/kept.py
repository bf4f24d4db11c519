"""What an earlier run worked out, kept as files in the user's cache folder: nothing here is ever needed, it saves time.

Whatever goes wrong with a file, from a read-only home to a broken disk, costs the time of making its content anew.
"""

import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

_KEPT_MAX = 8
"""Files kept of each kind; beyond that the oldest go. One per tree and version is what people have."""


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
    held = held_in(file)
    if held is None:
        held = make()
        with suppress(OSError):
            hold_in(file, held)
    return held


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Where cache files live: `KNOCKON_CACHE_DIR`, else the platform's folder for caches; None without a home.

    An empty `KNOCKON_CACHE_DIR` turns the cache off, and so does a folder that others may write to.
    """
    folder = _folder_named(environment)
    return None if folder is None or untrusted(folder) else folder


def untrusted_folder(environment: Mapping[str, str]) -> tuple[Path, str] | None:
    """The cache folder that is not used since others may write to it, and who; None where there is none such."""
    folder = _folder_named(environment)
    why = untrusted(folder) if folder is not None else ""
    return (folder, why) if folder is not None and why else None


def untrusted(folder: Path) -> str:
    """Who else may write to a folder: "owner", "group", "others"; empty where nobody does, or it is not there yet.

    Functions that run lie in the cache, so that whoever writes to it decides what this user runs.
    """
    if not hasattr(os, "geteuid"):
        return ""
    try:
        status = folder.stat()
    except OSError:
        return ""
    # What is no folder holds nothing that could be run.
    if not stat.S_ISDIR(status.st_mode):
        return ""
    # The system's own may be one that an image was made with.
    if status.st_uid not in (os.geteuid(), 0):
        return "owner"
    if status.st_mode & stat.S_IWOTH:
        return "others"
    return "group" if status.st_mode & stat.S_IWGRP else ""


def _folder_named(environment: Mapping[str, str]) -> Path | None:
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


@cache
def sources_in(folder: Path) -> bytes:
    """What the text of all modules in a package is known by; what runs is what was read first, so it is read once."""
    hasher = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        content = file.read_bytes()
        hasher.update(len(content).to_bytes(8, "big"))
        hasher.update(content)
    return hasher.digest()


def held_in(file: Path) -> bytes | None:
    """The content of a cache file; None where there is none, or not the whole."""
    try:
        # A pipe would be waited for; and in a folder that is closed to us nobody can look.
        if not file.is_file():
            return None
        checksum, _, content = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if _checksum(file, content) == checksum else None


def hold_in(file: Path, content: bytes) -> None:
    """Write a cache file whole or not at all, and take away the oldest of its kind; raises OSError."""
    # It costs as much as reading the cache, and only a run that writes needs it.
    import tempfile  # noqa: PLC0415  see above

    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".kept-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(_checksum(file, content) + b"\n" + content)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    _forget_old(file)


def _checksum(file: Path, content: bytes) -> bytes:
    """Over the file's name too: what was kept under another name is not what is asked for."""
    hasher = hashlib.sha256(file.name.encode())
    hasher.update(b"\n")
    hasher.update(content)
    return hasher.hexdigest().encode()


def newest_of(files: Iterable[Path]) -> Path | None:
    """The file that was written last; None where there is none."""
    return next(iter(_newest_first(files)), None)


def _forget_old(newest: Path) -> None:
    kind = newest.name.rpartition("-")[0]
    for file in _newest_first(newest.parent.glob(f"{kind}-*"))[_KEPT_MAX:]:
        file.unlink(missing_ok=True)


def _newest_first(files: Iterable[Path]) -> list[Path]:
    written: dict[Path, int] = {}
    # The folder may be closed to us.
    with suppress(OSError):
        for file in files:
            # Another run may take one away meanwhile.
            with suppress(OSError):
                written[file] = file.stat().st_mtime_ns
    return sorted(written, key=written.__getitem__, reverse=True)
