"""The files of this machine that a command names: a model's config.json, a file of options."""

from pathlib import Path

from knockon.cli.paths import is_folder
from knockon.terms.placed import Placed
from knockon.terms.words import JsonObject


def config_file(named: str | None) -> Path | None:
    """The config.json that a model is named by: the file itself, or the one in a folder of weights."""
    if not named:
        return None
    path = Path(named)
    try:
        if is_folder(path):
            inner = path / "config.json"
            return inner if inner.is_file() else None
        # A path that is meant as a file is read, or refused with its name, even where it is not there.
        return path if path.suffix == ".json" or path.is_file() else None
    except (OSError, ValueError):
        return None


def options_file(path: Path) -> JsonObject | None:
    """The mapping in an options file; None where there is no such file, so that the answer says it was not read."""
    try:
        is_there = path.is_file()
    except (OSError, ValueError):
        # A name that no file can have: too long, or with a sign that is refused.
        return None
    if not is_there:
        return None
    from knockon.curate.document import read_file

    document = read_file(path, str(path))
    if not isinstance(document.data, dict):
        return None
    return Placed(document.data, {key: document.at(key) for key in document.data})
