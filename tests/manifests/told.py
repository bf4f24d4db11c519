"""The files of a case of the corpus."""

from pathlib import Path

from knockon.manifests.base import File, file_of

EXPECTED = "expected.yaml"


def files_under(folder: Path) -> list[File]:
    """Every file of a case, by its path inside the case."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != EXPECTED)
    return [file_of(path.read_bytes(), path=path.relative_to(folder).as_posix()) for path in paths]
