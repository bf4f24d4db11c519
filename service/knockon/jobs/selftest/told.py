"""What was read from manifests, as plain data a person can check against the file."""

from collections.abc import Sequence
from typing import Any

from knockon.manifests import read_manifests
from knockon.manifests.base import File, Launch
from knockon.terms.argument import Argument, Variable
from knockon.terms.errors import Problem
from knockon.terms.place import Position


def told(files: Sequence[File]) -> dict[str, Any]:
    """What `read_manifests` says of the files."""
    results = read_manifests(files)
    launches = [_launch(each, files) for each in results if isinstance(each, Launch)]
    problems = [str(each) for each in results if isinstance(each, Problem)]
    return {"launches": launches} | ({"problems": problems} if problems else {})


def stands_at(text: str, at: Position, files: Sequence[File]) -> bool:
    """Whether a text is written at a place, the quote in front of it skipped."""
    file = next(file for file in files if file.path == at.path)
    line = file.text.split("\n")[at.line - 1]
    written = line[at.column - 1 :]
    return written.startswith(text) or written[1:].startswith(text)


def _launch(launch: Launch, files: Sequence[File]) -> dict[str, Any]:
    said: dict[str, Any] = {"name": launch.name, "kind": launch.kind, "at": str(launch.at)}
    path = launch.at.path if launch.at else ""
    said["arguments"] = [_word(each, path, files) for each in launch.arguments]
    said["left_out"] = [f"{_place(each.at, path)} {each.text}" for each in launch.left_out if each.at]
    said["incomplete"] = launch.is_incomplete or None
    said["environment"] = [_variable(each, path) for each in launch.environment]
    for name in ("image", "gpu_count", "gpu_name", "replicas"):
        said[name] = getattr(launch, name)
    said["notes"] = [note.en for note in launch.notes]
    said["files"] = {each.path: {"at": str(each.at), "data": dict(each.data)} for each in launch.files}
    return {key: value for key, value in said.items() if value not in (None, [], {})}


def _word(argument: Argument, path: str, files: Sequence[File]) -> str:
    """`line:column word`; a word that is not written at its place (a variable's value, say) has a tilde in front."""
    assert argument.at is not None
    mark = "" if stands_at(argument.text, argument.at, files) else "~"
    return f"{_place(argument.at, path)} {mark}{argument.text}"


def _variable(variable: Variable, path: str) -> str:
    assert variable.at is not None
    return f"{_place(variable.at, path)} {variable.name}={variable.value}"


def _place(at: Position, path: str) -> str:
    return f"{at.line}:{at.column}" if at.path == path else str(at)
