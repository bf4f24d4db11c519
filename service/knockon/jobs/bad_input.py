"""What of a described deployment names nothing that is known: a flag, a model. The rest is answered all the same."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from knockon.engines.base import Configured, UnknownFlag
from knockon.terms.errors import NotFound, Problem
from knockon.terms.place import Position
from knockon.terms.words import Text

# A name as model hubs give them: one owner, one name. More slashes, or none, are paths and names of somebody's own.
_HUB_NAME = re.compile(r"([A-Za-z0-9][\w.-]{0,95})/([A-Za-z0-9][\w.-]{0,95})")
# Folders that weights are mounted at; no owner on a hub is called so.
_FOLDERS = frozenset(
    {
        "app", "cache", "checkpoint", "checkpoints", "ckpt", "ckpts", "data", "hf", "home", "local", "mnt", "model",
        "models", "opt", "path", "root", "shared", "srv", "tmp", "usr", "var", "weights", "workspace",
    }
)  # fmt: skip
# A flag of any length can be given; nobody reads more of it than this.
_SHOWN_MAX = 80
# What people write where the name of a model belongs.
_PLACEHOLDERS = frozenset({"model", "model-name", "model_name", "modelname", "name", "your-model", "your_model"})


@dataclass(frozen=True, slots=True)
class BadInput:
    """One name that nothing goes by: what is wrong, where, what was expected and what to do."""

    code: Literal["unknown-flag", "unknown-model"]
    name: str
    """As it was given."""
    what: Text
    expected: Text
    fix: Text
    suggestions: tuple[str, ...] = ()
    """The nearest names that are known, best first; empty when none is near."""
    at: Position | None = None

    def problem(self, language: str = "en") -> Problem:
        """The same as a complaint in one language."""
        what, expected, fix = (part.in_language(language) for part in (self.what, self.expected, self.fix))
        return Problem(self.code, what, expected, fix, self.at)


def unknown_flags(command: Configured | None) -> Iterator[BadInput]:
    """The flags of a command that the table of its engine does not have."""
    if command is not None:
        yield from (_unknown_flag(one, command.engine) for one in command.unknown_flags)


def unknown_model(error: NotFound, *, at: Position | None) -> BadInput:
    """The model of a command that the catalog does not have."""
    near = error.suggestions
    return BadInput(
        "unknown-model",
        error.name,
        Text(f"no model is called {error.name!r}", f"没有名为 {error.name!r} 的模型"),
        _one_of(near, Text("a model of the catalog", "目录中的模型")),
        Text(
            "give its config.json",
            "请给出其 config.json",
        ),
        near,
        at,
    )


def is_hub_name(name: str) -> bool:
    """Whether a model's name is one of a hub; a path, or a placeholder that something fills in later, is not."""
    match = _HUB_NAME.fullmatch(name)
    if match is None or name.endswith((".json", ".gguf", ".safetensors", ".bin", ".pt", ".pth")):
        return False
    return match[1].lower() not in _FOLDERS and match[2].lower() not in _PLACEHOLDERS


def _unknown_flag(one: UnknownFlag, engine: str) -> BadInput:
    shown = one.flag if len(one.flag) <= _SHOWN_MAX else one.flag[: _SHOWN_MAX - 1] + "…"
    return BadInput(
        "unknown-flag",
        one.flag,
        Text(f"no flag of {engine} is called {shown!r}", f"{engine} 没有名为 {shown!r} 的参数"),
        _one_of(one.suggestions, Text(f"a flag of {engine}", f"{engine} 的参数")),
        Text("correct it, or remove it", "请更正或删除"),
        one.suggestions,
        one.at,
    )


def _one_of(near: tuple[str, ...], otherwise: Text) -> Text:
    if not near:
        return otherwise
    return Text(f"{otherwise.en}, such as {' or '.join(near)}", f"{otherwise.zh}，例如 {' 或 '.join(near)}")
