"""Files that may be read and not written, also where the tests run as root, whom no mode holds back."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# The account of nobody on Linux; any other that is not root would do.
_NOBODY = 65534


@contextmanager
def readable_folder() -> Iterator[Path]:
    """A folder that every account may read and enter; those of pytest are for their owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="knockon-read-"))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@contextmanager
def only_read(folder: Path) -> Iterator[None]:
    """Nothing in `folder` and nothing new there may be written meanwhile; root becomes nobody for it."""
    held = [folder, *folder.iterdir()]
    modes = {path: path.stat().st_mode for path in held}
    for path in held:
        path.chmod(0o555 if path.is_dir() else 0o444)
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.seteuid(_NOBODY)
        if not os.access(folder, os.R_OK, effective_ids=True):
            pytest.skip("folders for temporary files cannot be read by another account here")
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)
