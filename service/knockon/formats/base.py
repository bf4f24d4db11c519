"""What an answer is made of, before it has a format: the contract's data for programs, a page of blocks for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from knockon.terms.words import JsonObject

Tone = Literal["strong", "dim", "name", "good", "warn", "bad"]
"""How words are meant. `name` is something to type or to look up: a flag, a fact, a technique id."""


@dataclass(frozen=True, slots=True)
class Marked:
    """Words with a tone."""

    text: str
    tone: Tone


Words = str | Sequence[str | Marked]
"""Running text: blanks and line ends in it only separate words."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer in one line: the word that programs see too, and what it comes to."""

    word: str
    tone: Tone
    says: Words = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A few sentences."""

    words: Words


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list, with what belongs under it."""

    words: Words
    blocks: Sequence["Block"] = ()


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list; numbered when the order counts."""

    items: Sequence[Item]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. One that wraps gives way when the page is too narrow."""

    title: str
    align: Literal["left", "right"] = "left"
    wraps: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column titles; without any title, plain columns."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Words]]


@dataclass(frozen=True, slots=True)
class KeyValues:
    """Names with their values, in two columns."""

    pairs: Sequence[tuple[str, Words]]


@dataclass(frozen=True, slots=True)
class Branch:
    """One node of a tree."""

    words: Words
    branches: Sequence["Branch"] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """What leads to what."""

    branches: Sequence[Branch]


@dataclass(frozen=True, slots=True)
class Code:
    """Text that is shown as it stands, line by line."""

    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page under its own title."""

    title: Words
    blocks: Sequence["Block"]


Block = Verdict | Paragraph | Bullets | Table | KeyValues | Tree | Code | Section


@dataclass(frozen=True, slots=True)
class Page:
    """An answer for people, from top to bottom."""

    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Report:
    """One answer in both its forms. `data` is the contract; a format uses one of the two."""

    data: JsonObject
    page: Page


class Format(Protocol):
    """One way of writing a report. Pure: the same report gives the same text; nothing is ever raised."""

    @property
    def name(self) -> str:
        """The word after `--format`."""

    def render(self, report: Report, *, width: int, is_coloured: bool) -> str:
        """The report as text, ending in a line end.

        Args:
            report: what to write.
            width: columns of the terminal, 40 or more; formats that are no table for a terminal take no notice.
            is_coloured: whether the reader shows ANSI colours.
        """


def spans(words: Words) -> list[Marked | str]:
    """The parts of running text, in order."""
    return [words] if isinstance(words, str) else list(words)


def plain(words: Words) -> str:
    """Running text without its tones."""
    return "".join(part if isinstance(part, str) else part.text for part in spans(words))
