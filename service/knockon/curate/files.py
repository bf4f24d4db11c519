"""The YAML files of a tree, in order."""

import os
from collections.abc import Iterator
from pathlib import Path

from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import TREE_FILES_MAX
from knockon.terms.place import Position


def yaml_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """(path within `folder` with slashes, file) of every `.yaml` and `.yml` file, sorted; hidden ones are left out.

    Raises:
        LimitExceeded: more files than terms/limits.py allows.
    """
    root = str(folder)
    found = []
    for parent, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        inner = parent[len(root) :].replace(os.sep, "/").strip("/")
        found += [
            (f"{inner}/{name}" if inner else name, Path(parent, name))
            for name in names
            if name.endswith((".yaml", ".yml")) and not name.startswith(".")
        ]
        if len(found) > TREE_FILES_MAX:
            raise LimitExceeded("the number of YAML files in a tree", limit=TREE_FILES_MAX, at=Position(root, 1, 1))
    yield from sorted(found)
