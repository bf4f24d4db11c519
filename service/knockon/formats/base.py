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


RowVerdict = Literal["error", "bad-input", "conflict", "degraded", "note"]
"""What a row comes to; `error` is input that could not be read, so that nothing can be said about it, and `bad-input`
names something that nothing goes by, while the rest of the launch was answered."""


@dataclass(frozen=True, slots=True)
class RuleRow:
    """The rule behind a row, the same for all its rows."""

    id: str
    title: str
    verdict: RowVerdict
    help: str = ""
    """Markdown."""
    url: str = ""
    """The first of its sources."""


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Where a row belongs. Lines and columns count from 1, in characters."""

    path: str
    """Relative to the folder the program was started in, with forward slashes; absolute outside of it."""
    line: int
    column: int
    column_end: int | None = None
    """The column behind the last character; None where the end is not known."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Why a row does not count: it was known before, or somebody waived it."""

    kind: Literal["known", "waived"]
    reason: str = ""
    expires: str = ""
    """The last day of a waiver, as 2027-01-31."""
    at: str = ""
    """Where the waiver stands, as path:line:column."""

    def __str__(self) -> str:
        if self.kind == "known":
            return "known: in the baseline"
        return f"waived until {self.expires}: {self.reason}"


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding for programs that collect findings: what is wrong, where, and whether it counts."""

    rule: RuleRow
    verdict: RowVerdict
    text: str
    """Says what happens and what to do, in plain words."""
    fingerprint: str
    """The same for as long as rule, launch and settings are the same, wherever they move in their file."""
    path: str = ""
    """The file of the launch, which need not be the one it points into; empty where there is none."""
    launch: str = ""
    """The launch it is about: "Deployment/qwen"; empty where it is about a file."""
    at: PlaceRow | None = None
    accepted: Accepted | None = None
    """Why it does not count; None where it does."""


@dataclass(frozen=True, slots=True)
class LaunchRow:
    """One launch that was checked, also where nothing was found."""

    path: str
    launch: str
    verdict: str
    """The answer's word, whatever is known or waived; "error" where it could not be read."""
    says: str = ""
    """What the verdict comes to, or what keeps it from being told."""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """One answer in all its forms; a format uses one of them."""

    data: JsonObject
    """The contract, for programs that know this one."""
    page: Page
    """For people."""
    findings: Sequence[FindingRow] = ()
    """For programs that collect the findings of many tools, in the order of the launches."""
    launches: Sequence[LaunchRow] = ()
    """Everything that was checked."""
    version: str = ""
    """The version of this program."""


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
