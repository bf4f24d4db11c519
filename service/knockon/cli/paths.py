"""Questions about paths that anybody may type: too long, in circles or not to be looked at, they get an answer."""

import os
from pathlib import Path


def is_folder(path: str | Path) -> bool:
    """Whether it is a folder, as far as this user may see."""
    return os.path.isdir(path)  # noqa: PTH112  `Path.is_dir` raises for a name too long and a folder that may not be read


def is_file(path: str | Path) -> bool:
    """Whether it is a regular file, as far as this user may see."""
    return os.path.isfile(path)  # noqa: PTH113  as above


def resolved(path: str | Path) -> Path:
    """The path without links, as far as they lead; `Path.resolve` raises where they lead in a circle."""
    return Path(os.path.realpath(path))
