"""Lays a table out in columns that fit the page; the widest columns give way first."""

from collections.abc import Sequence

from knockon.formats.base import Column, Marked, Table, Words
from knockon.formats.table.width import Line, Piece, line_width, wrapped

_GAP = 2
# A column narrower than this breaks most words; the table then runs over the page instead.
_NARROWEST = 8
# Wide enough for any cell on one line, when its natural width is asked for.
_ENDLESS = 1_000_000


def table_lines(table: Table, width: int) -> list[Line]:
    """The table as lines, at most `width` columns wide where its words allow it."""
    titled = any(column.title for column in table.columns)
    rows: list[Sequence[Words]] = list(table.rows)
    if titled:
        rows.insert(0, [(Marked(column.title, "dim"),) for column in table.columns])
    widths = _fitted(table.columns, rows, width - _GAP * (len(table.columns) - 1))
    lines: list[Line] = []
    for index, row in enumerate(rows):
        lines += _row_lines(table.columns, row, widths)
        if titled and index == 0:
            lines.append(_row_lines(table.columns, [(Marked("─" * size, "dim"),) for size in widths], widths)[0])
    return lines


def _fitted(columns: Sequence[Column], rows: Sequence[Sequence[Words]], room: int) -> list[int]:
    widths = [max((line_width(wrapped(row[at], _ENDLESS)[0]) for row in rows), default=0) for at in range(len(columns))]
    giving = [at for at, column in enumerate(columns) if column.wraps]
    while sum(widths) > room and giving:
        widest = max(giving, key=lambda at: widths[at])
        if widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1
    return widths


def _row_lines(columns: Sequence[Column], row: Sequence[Words], widths: Sequence[int]) -> list[Line]:
    cells = [wrapped(words, max(1, size)) for words, size in zip(row, widths, strict=True)]
    height = max(map(len, cells), default=0)
    return [
        tuple(
            piece
            for at, (column, cell, size) in enumerate(zip(columns, cells, widths, strict=True))
            for piece in _padded(cell[index] if index < len(cell) else (), column, size, gap=_GAP if at else 0)
        )
        for index in range(height)
    ]


def _padded(line: Line, column: Column, size: int, *, gap: int) -> Line:
    missing = max(0, size - line_width(line))
    left, right = (missing, 0) if column.align == "right" else (0, missing)
    return (Piece(" " * (gap + left)), *line, Piece(" " * right))
