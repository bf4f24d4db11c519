"""Finds the program in a command: names, Python modules and container images, whatever their paths."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from knockon.terms.argument import Argument

_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?")
# Python's own options that take the next word; -m ends them.
_PYTHON_WITH_VALUE = frozenset({"-W", "-X", "--check-hash-based-pycs"})
_TAG_VERSION = re.compile(r"v?(\d+(?:\.\d+)+(?:\.?(?:rc|post)\d+)?)")


@dataclass(frozen=True, slots=True)
class Module:
    """A Python module started with -m; `index` is that of the first word after it."""

    name: str
    index: int


@dataclass(frozen=True, slots=True)
class Tag:
    """A container image that was recognised; `version` is None where its tag names no release."""

    version: str | None


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


def image_tag(arguments: Sequence[Argument], *, images: Sequence[str]) -> Tag | None:
    """The tag of a container image whose last name is one of `images`: `vllm/vllm-openai:v0.11.0`."""
    text = arguments[0].text if arguments else ""
    name, colon, tag = text.rsplit("/", 1)[-1].partition(":")
    if "/" not in text or name.partition("@")[0] not in images:
        return None
    version = _TAG_VERSION.match(tag) if colon else None
    return Tag(version[1] if version else None)
