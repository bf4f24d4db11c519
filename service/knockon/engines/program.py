"""Finds the program in a command: names, Python modules and container images, whatever their paths."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from knockon.terms.argument import Argument

_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?")
# Python's own options that take the next word; -m ends them.
_PYTHON_WITH_VALUE = frozenset({"-W", "-X", "--check-hash-based-pycs"})


@dataclass(frozen=True, slots=True)
class Module:
    """A Python module started with -m; `index` is that of the first word after it."""

    name: str
    index: int


def program_of(arguments: Sequence[Argument]) -> str:
    """The name of the program without its folder; empty for no words."""
    return arguments[0].text.rsplit("/", 1)[-1] if arguments else ""


def module_of(arguments: Sequence[Argument]) -> Module | None:
    """The module of `python -m module`; None when that is not what the words start with."""
    if _PYTHON.fullmatch(program_of(arguments)) is None:
        return None
    index = 1
    while index < len(arguments):
        text = arguments[index].text
        if text == "-m":
            return Module(arguments[index + 1].text, index + 2) if index + 1 < len(arguments) else None
        if not text.startswith("-"):
            return None
        index += 2 if text in _PYTHON_WITH_VALUE else 1
    return None


def is_image(arguments: Sequence[Argument], *, names: Sequence[str]) -> bool:
    """Whether the first word is a container image whose last name is one of `names`: `vllm/vllm-openai:v0.11.0`."""
    text = arguments[0].text if arguments else ""
    return "/" in text and re.split("[:@]", text.rsplit("/", 1)[-1], maxsplit=1)[0] in names
