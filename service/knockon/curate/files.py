"""The YAML files of a tree, in order, and what is in them."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import TREE_FILES_MAX, YAML_BYTES_MAX
from knockon.terms.place import Position


def yaml_files(folder: Path) -> Iterator[tuple[str, str]]:
    """(path within `folder` with slashes, file) of all that is called `.yaml` or `.yml`, sorted; no hidden ones.

    A folder of that name is among them, or nobody would see that its files are read where none belongs.

    Raises:
        LimitExceeded: more files than terms/limits.py allows.
    """
    root = str(folder)
    found = []
    for parent, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        inner = parent[len(root) :].replace(os.sep, "/").strip("/")
        found += [
            (f"{inner}/{name}" if inner else name, f"{parent}{os.sep}{name}")
            for name in (*names, *folders)
            if name.endswith((".yaml", ".yml")) and not name.startswith(".")
        ]
        if len(found) > TREE_FILES_MAX:
            raise LimitExceeded("the number of YAML files in a tree", limit=TREE_FILES_MAX, at=Position(root, 1, 1))
    yield from sorted(found)


# A pipe that nobody writes to would make whoever opens it wait for ever; another system has neither flag.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def bytes_in(file: Path | str, path: str) -> bytes:
    """What is in a file; `path` is how it is called in complaints.

    Raises:
        OSError: it cannot be read, or is a folder, a pipe or a device.
        LimitExceeded: larger than terms/limits.py allows; then it is not read.
    """
    # Not through a buffer: there are thousands of files, most of them shorter than one.
    handle = os.open(file, _FLAGS)
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise OSError(errno.EISDIR, "is a folder")
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "is not a regular file")
        size = status.st_size
        check_size(size, path)
        content = os.read(handle, size + 1)
        # It may grow while it is read, and a file system over a network may give less at a time than there is.
        while size != len(content) <= YAML_BYTES_MAX and (more := os.read(handle, YAML_BYTES_MAX + 1 - len(content))):
            content += more
    finally:
        os.close(handle)
    return content


def check_size(size: int, path: str) -> None:
    """Refuse a file of more bytes than are read; raises LimitExceeded."""
    if size > YAML_BYTES_MAX:
        raise LimitExceeded(
            "the size of a YAML file in bytes",
            limit=YAML_BYTES_MAX,
            found=size,
            at=Position(path, 1, 1),
            fix="split it into one file per thing",
        )
