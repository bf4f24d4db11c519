"""What an option says otherwise than the file of facts beside it: a note for each, and the option counts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from knockon.jobs.overruled import overruling
from knockon.terms.fact import Origin
from knockon.terms.place import Position
from knockon.terms.words import Text

if TYPE_CHECKING:
    from knockon.cli.deployment import Options

# Keys of a file of facts, with the options that say the same.
_OPTIONS = {
    "engine": "--engine",
    "engine_version": "--engine-version",
    "model": "--model",
    "gpu": "--gpu",
    "gpus": "--gpus",
}


def overruled_keys(
    options: "Options", held: Mapping[str, object], sets: Sequence[tuple[str, str]], places: Mapping[str, Position]
) -> Iterator[Text]:
    """A note for each key of the file that an option says otherwise.

    Args:
        options: of the command line.
        held: the file's keys with their values.
        sets: the name of each of its facts with "name=value".
        places: where the keys stand, facts as `facts.name`.
    """
    for key, option in _OPTIONS.items():
        ours, theirs = getattr(options, key), held.get(key)
        if ours is not None and theirs is not None and str(ours) != str(theirs):
            yield _note(f"{option} {ours}", f"{key}: {theirs}", places.get(key))
    ours_set = {text.partition("=")[0].strip(): text for text in options.sets}
    for name, text in sets:
        ours = ours_set.get(name)
        if ours is not None and ours.partition("=")[2].strip() != text.partition("=")[2].strip():
            yield _note(f"--set {ours}", text, places.get(f"facts.{name}"))


def _note(ours: str, theirs: str, at: Position | None) -> Text:
    return overruling(Origin("set", ours), theirs, str(at) if at else "the file", str(at) if at else "文件")
