"""Writes the page of a report as Markdown (GitHub's)."""

import re
from collections.abc import Iterator, Sequence
from typing import assert_never

from knockon.formats.base import (
    Block,
    Branch,
    Bullets,
    Code,
    KeyValues,
    Marked,
    Paragraph,
    Report,
    Section,
    Table,
    Tree,
    Verdict,
    Words,
    spans,
)

# What Markdown or HTML would take for its own; an underscore inside a word is left as it is.
_SPECIAL = re.compile(r"[\\`*<>\[\]|~#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_BLANKS = re.compile(r"\s+")
_DEEPEST_HEADING = 6
_FENCE = re.compile(r"`{3,}")


class MarkdownFormat:
    """GitHub-flavoured Markdown."""

    name = "markdown"

    def render(self, report: Report, *, width: int, is_coloured: bool) -> str:
        """The page alone; see `Format.render`."""
        del width, is_coloured
        return "\n".join(_parts(report.page.blocks, depth=2)).rstrip("\n") + "\n"


def _parts(blocks: Sequence[Block], *, depth: int) -> Iterator[str]:
    """Lines of the blocks, one empty line after each."""
    for block in blocks:
        last = ""
        for last in _lines(block, depth):
            yield last
        if last:
            yield ""


def _lines(block: Block, depth: int) -> Iterator[str]:
    match block:
        case Verdict(word=word, says=says):
            yield f"**{_escaped(word)}** — {_inline(says)}" if says else f"**{_escaped(word)}**"
        case Paragraph(words=words):
            yield _inline(words)
        case Bullets():
            yield from _list(block, depth)
        case Table():
            yield from _table(block)
        case KeyValues(pairs=pairs):
            yield from (f"- {_escaped(name)}: {_inline(words)}" for name, words in pairs)
        case Tree(branches=branches):
            yield from _tree(branches, "")
        case Code(text=text):
            yield from _code(text)
        case Section(title=title, blocks=blocks):
            yield f"{'#' * min(depth, _DEEPEST_HEADING)} {_inline(title)}"
            yield ""
            yield from _parts(blocks, depth=depth + 1)
        case _:
            assert_never(block)


def _list(bullets: Bullets, depth: int) -> Iterator[str]:
    for index, item in enumerate(bullets.items):
        mark = f"{index + 1}." if bullets.is_numbered else "-"
        yield f"{mark} {_inline(item.words)}"
        inner = list(_parts(item.blocks, depth=depth))
        for line in ["", *inner] if inner else []:
            yield f"{' ' * (len(mark) + 1)}{line}" if line else ""


def _table(table: Table) -> Iterator[str]:
    yield _row([column.title for column in table.columns])
    yield "| " + " | ".join("--:" if column.align == "right" else "---" for column in table.columns) + " |"
    for row in table.rows:
        yield _row(row)


def _row(cells: Sequence[Words]) -> str:
    return "| " + " | ".join(_inline(words) for words in cells) + " |"


def _tree(branches: Sequence[Branch], indent: str) -> Iterator[str]:
    for branch in branches:
        yield f"{indent}- {_inline(branch.words)}"
        yield from _tree(branch.branches, indent + "  ")


def _code(text: str) -> Iterator[str]:
    longest = max((len(found) for found in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    yield fence
    yield from text.splitlines()
    yield fence


def _inline(words: Words) -> str:
    return _BLANKS.sub(" ", "".join(_marked(part) for part in spans(words))).strip()


def _marked(part: str | Marked) -> str:
    if isinstance(part, str):
        return _escaped(part)
    text = part.text.strip()
    if not text or part.tone == "dim":
        return _escaped(part.text)
    before = part.text[: len(part.text) - len(part.text.lstrip())]
    after = part.text[len(part.text.rstrip()) :]
    said = f"`{text}`" if part.tone == "name" and "`" not in text else f"**{_escaped(text)}**"
    return f"{before}{said}{after}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"\\{match.group()}", text)
