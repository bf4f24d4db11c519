"""Files of a command's file system that are among the files given."""

from knockon.manifests.base import File, FileSet
from knockon.manifests.found import Scripts
from knockon.manifests.written import Piece, Written


def source_of(file: File) -> Written:
    """The text of a file, template code masked."""
    return Written(file.template.text, (Piece(0, file, 0),))


def files_in(files: FileSet, *, beside: File) -> Scripts:
    """Look paths up among `files`; the nearest to `beside` where two fit."""
    folder = beside.path.replace("\\", "/").rpartition("/")[0]

    def look(path: str) -> Written | None:
        held = files.at_path(path if path.startswith("/") or not folder else f"{folder}/{path}", beside=beside)
        return source_of(held) if held is not None and held is not beside else None

    return look
