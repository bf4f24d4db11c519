"""Writes the page of a report for a terminal."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from knockon.formats.base import (
    Block,
    Branch,
    Bullets,
    Code,
    Item,
    KeyValues,
    Marked,
    Page,
    Paragraph,
    Report,
    Section,
    Table,
    Tone,
    Tree,
    Verdict,
    plain,
    spans,
)
from knockon.formats.table.columns import table_lines
from knockon.formats.table.width import Line, Piece, columns_of, line_width, printable, wrapped

# Lines much longer than this tire the eye, however wide the terminal is.
_WIDEST = 120
_NARROWEST = 40
_INDENT = 2

_SIGNS: Mapping[Tone, str] = {"good": "✓", "warn": "▲", "bad": "✗", "dim": "?"}
# ANSI SGR: only the eight colours that every terminal's own scheme makes readable.
_COLOURS: Mapping[Tone, str] = {
    "strong": "1", "dim": "2", "name": "36", "good": "1;32", "warn": "1;33", "bad": "1;31",
}  # fmt: skip


class TableFormat:
    """Plain text with aligned tables."""

    name = "table"

    def render(self, report: Report, *, width: int, is_coloured: bool) -> str:
        """The page alone; see `Format.render`."""
        lines = page_lines(report.page, max(_NARROWEST, min(width, _WIDEST)))
        return "".join(f"{painted(line, is_coloured=is_coloured)}\n" for line in lines)


def page_lines(page: Page, width: int) -> list[Line]:
    """The page as lines, an empty one between its parts."""
    lines: list[Line] = []
    for block in page.blocks:
        made = _block_lines(block, width)
        if lines and made:
            lines.append(())
        lines += made
    return lines


def painted(line: Line, *, is_coloured: bool) -> str:
    """The line as text, without blanks at its end."""
    if not is_coloured:
        return "".join(piece.text for piece in line).rstrip()
    return "".join(
        f"\x1b[{_COLOURS[piece.tone]}m{piece.text}\x1b[0m" if piece.tone and piece.text.strip() else piece.text
        for piece in line
    ).rstrip()


def _block_lines(block: Block, width: int) -> list[Line]:
    match block:
        case Verdict():
            return _verdict_lines(block, width)
        case Paragraph(words=words):
            return wrapped(words, width)
        case Bullets():
            return _list_lines(block, width)
        case Table():
            return table_lines(block, width) if block.rows else []
        case KeyValues():
            return _pair_lines(block, width)
        case Tree(branches=branches):
            return _tree_lines(branches, width)
        case Code(text=text):
            return [(Piece(printable(line.expandtabs(4))),) for line in text.splitlines()]
        case Section():
            return _section_lines(block, width)
        case _:
            assert_never(block)


def _verdict_lines(verdict: Verdict, width: int) -> list[Line]:
    sign = _SIGNS.get(verdict.tone, "")
    head = f"{sign} {verdict.word}" if sign else verdict.word
    return wrapped((Marked(head, verdict.tone), " — " if plain(verdict.says) else "", *spans(verdict.says)), width)


def _section_lines(section: Section, width: int) -> list[Line]:
    title = [Marked(part, "strong") if isinstance(part, str) else part for part in spans(section.title)]
    lines = wrapped(title, width)
    for index, block in enumerate(section.blocks):
        made = _block_lines(block, width - _INDENT)
        # Parts with a title of their own stand apart; what follows a title directly belongs to it.
        if made and index and (isinstance(block, Section) or isinstance(section.blocks[index - 1], Section)):
            lines.append(())
        lines += _shifted(made, " " * _INDENT)
    return lines


def _list_lines(bullets: Bullets, width: int) -> list[Line]:
    marks = [f"{index + 1}." if bullets.is_numbered else "•" for index in range(len(bullets.items))]
    size = max(map(len, marks), default=0) + 1
    lines: list[Line] = []
    for mark, item in zip(marks, bullets.items, strict=True):
        lines += _hanging(_item_lines(item, width - size), mark.ljust(size), " " * size)
    return lines


def _item_lines(item: Item, width: int) -> list[Line]:
    lines = wrapped(item.words, width)
    for block in item.blocks:
        lines += _block_lines(block, width)
    return lines


def _pair_lines(pairs: KeyValues, width: int) -> list[Line]:
    size = max((columns_of(name) for name, _ in pairs.pairs), default=0)
    # Names take at most half the page, so that every value keeps room.
    size = min(size, width // 2)
    lines: list[Line] = []
    for name, words in pairs.pairs:
        values = wrapped(words, max(1, width - size - 2))
        names = wrapped((Marked(name, "dim"),), size)
        for index in range(max(len(values), len(names))):
            left = names[index] if index < len(names) else ()
            right = values[index] if index < len(values) else ()
            lines.append((*left, Piece(" " * (size + 2 - line_width(left))), *right))
    return lines


def _tree_lines(branches: Sequence[Branch], width: int, *, is_top: bool = True) -> list[Line]:
    lines: list[Line] = []
    for index, branch in enumerate(branches):
        is_last = index == len(branches) - 1
        first, rest = ("", "") if is_top else ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        inner = width - len(first)
        under = _tree_lines(branch.branches, inner, is_top=False)
        words = wrapped(branch.words, max(1, inner))
        if len(words) > 1:
            # The line that leads on to the branches below runs along words that take several lines.
            along = "│ " if branch.branches else "  "
            words = _hanging(wrapped(branch.words, max(1, inner - _INDENT)), "", along)
        lines += _hanging([*words, *under], first, rest)
    return lines


def _shifted(lines: Sequence[Line], by: str) -> list[Line]:
    return [(Piece(by, "dim"), *line) if line else () for line in lines]


def _hanging(lines: Sequence[Line], first: str, rest: str) -> list[Line]:
    return [(Piece(rest if index else first, "dim"), *line) for index, line in enumerate(lines)]
