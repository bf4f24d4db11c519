"""An SQLite file that is only read: how it is opened where nothing beside it may be written."""

import os
import stat
from pathlib import Path

# Beside the file: committed changes of the journal mode WAL, and what takes back a change that was cut off.
_BESIDE = ("-wal", "-journal")
_AS_EFFECTIVE_USER = os.access in os.supports_effective_ids


def may_read(path: Path) -> bool:
    """Whether it is a file that this user may read."""
    return os.path.isfile(path) and os.access(path, os.R_OK, effective_ids=_AS_EFFECTIVE_USER)  # noqa: PTH113 - is_file raises where a folder may not be entered


def is_special(path: Path) -> bool:
    """Whether it is a pipe, a device or a socket: no file that could hold a database."""
    try:
        mode = path.stat().st_mode
    except OSError:
        # It is not there, or may not be looked at; opening it says which.
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def may_write(path: Path) -> bool:
    """Whether this user may write both the file and its folder, on a file system that takes writes."""
    return all(os.access(one, os.W_OK, effective_ids=_AS_EFFECTIVE_USER) for one in (path, path.parent))


def changes_beside(path: Path) -> Path | None:
    """The file beside it with changes that it does not hold yet; None where there is none."""
    for suffix in _BESIDE:
        beside = path.with_name(path.name + suffix)
        try:
            if beside.stat().st_size:
                return beside
        except OSError:
            continue
    return None


def read_only_uri(path: Path) -> str:
    """The URI that opens a file that may not be written, without writing anything beside it.

    The journal mode WAL makes two files beside the one it reads, and SQLite refuses where it cannot. `immutable` does
    without them, but does not see what another program has written to them: where changes stand beside the file, both
    files are there already, and it is opened the usual way.
    """
    mode = "mode=ro" if changes_beside(path) else "mode=ro&immutable=1"
    return f"{path.absolute().as_uri()}?{mode}"
