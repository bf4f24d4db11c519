"""Rows of GPUs: the CSV of `nvidia-smi --query-gpu` or of a script in its manner, and the table of dmon."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knockon.sources.amount import shown
from knockon.sources.nvidia_smi.dmon import dmon_rows
from knockon.sources.nvidia_smi.fields import own_name
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import READINGS_MAX
from knockon.terms.place import Position

_TITLE = re.compile(r"(?P<field>[a-zA-Z][\w.]*+)(?:\s*+\[(?P<unit>[^\[\]]*+)\])?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cell:
    """One value as it is written, with the unit of its column ("" where the header has none) and its place."""

    text: str
    unit: str
    at: Position


@dataclass(frozen=True, slots=True)
class Gpu:
    """One row."""

    name: str
    """What tells it from the others: "gpu=0"."""
    cells: Mapping[str, Cell]
    """By field."""


def titles_of(line: str) -> dict[str, str] | None:
    """Fields and their units in the order of a header; None when the line is no header."""
    titles: dict[str, str] = {}
    for part in line.split(","):
        match = _TITLE.fullmatch(part.strip())
        if match is None or match["field"] in titles:
            return None
        titles[match["field"]] = match["unit"] or ""
    return titles


def named_titles(titles: Mapping[str, str]) -> dict[str, str] | None:
    """The same with nvidia-smi's own names; None where two columns are one field."""
    named = dict(own_name(field, unit) for field, unit in titles.items())
    return named if len(named) == len(titles) else None


def read_sheet(text: str, filename: str) -> list[Gpu]:
    """Every row, in order.

    Raises:
        IntakeError: no header, no rows, or a row with another number of fields than the header; with the place.
        LimitExceeded: more rows than there may be readings.
    """
    lines = [
        (number, line.strip()) for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1) if line.strip()
    ]
    titles = named_titles(titles_of(lines[0][1]) or {}) if lines else None
    if not titles:
        raise _refused(
            "no-header",
            "the first line is no header of nvidia-smi",
            Position(filename, lines[0][0] if lines else 1, 1),
            expected="fields such as index, utilization.gpu [%]",
            fix="ask nvidia-smi with --format=csv or csv,nounits, without noheader",
        )
    if len(lines) < 2:
        raise _refused("no-rows", "there is a header and no row", Position(filename, lines[0][0], 1))
    if len(lines) - 1 > READINGS_MAX:
        raise LimitExceeded("the rows of the file", limit=READINGS_MAX, found=len(lines) - 1, fix="give fewer rows")
    return [_gpu(line, titles, Position(filename, number, 1), row=row) for row, (number, line) in enumerate(lines[1:])]


def read_dmon(text: str, filename: str) -> tuple[list[Gpu], bool]:
    """Every row of dmon's table, in order, and whether a header named the columns."""
    rows, has_header = dmon_rows(text.removeprefix("\ufeff").split("\n"), filename)
    if not rows:
        raise _refused("no-rows", "there is a header and no row", Position(filename, 1, 1))
    if len(rows) > READINGS_MAX:
        raise LimitExceeded("the rows of the file", limit=READINGS_MAX, found=len(rows))
    gpus: list[Gpu] = []
    for words, at in rows:
        cells: dict[str, Cell] = {}
        for title, word in words.items():
            field, unit = own_name(title, "")
            cells[field] = Cell(word, unit, at)
        if "Date" in words and "Time" in words:
            day = words["Date"]
            cells["timestamp"] = Cell(f"{day[:4]}-{day[4:6]}-{day[6:]} {words['Time']}", "", at)
        gpus.append(Gpu(f"gpu={words['gpu'][:80]}" if "gpu" in words else "gpu=?", cells))
    return gpus, has_header


def _gpu(line: str, titles: Mapping[str, str], at: Position, *, row: int) -> Gpu:
    parts = line.split(",")
    if len(parts) != len(titles):
        what = f"{shown(line)} has {len(parts)} fields, the header {len(titles)}"
        raise _refused("bad-row", what, at, fix="give the output of one command")
    cells: dict[str, Cell] = {}
    column = 0
    for (field, unit), part in zip(titles.items(), parts, strict=True):
        indent = len(part) - len(part.lstrip())
        cells[field] = Cell(part.strip(), unit, at.right(column + indent))
        column += len(part) + 1
    for field, label in (("index", "gpu"), ("uuid", "uuid"), ("pci.bus_id", "pci")):
        if field in cells:
            return Gpu(f"{label}={cells[field].text[:80]}", cells)
    # Without any of the three the rows of one moment can only be told by their order.
    return Gpu(f"row={row}", cells)


def _refused(code: str, what: str, at: Position, *, expected: str = "", fix: str = "") -> IntakeError:
    return IntakeError(Problem(code, what, expected=expected, fix=fix, at=at))
