"""Reads a table of snapshots: a row for each time (and replica), a column for each reading."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.amount import shown
from knockon.sources.base import Taken
from knockon.sources.moment import seconds_of
from knockon.sources.table_cells import reading_in, unknown_columns
from knockon.sources.table_rows import TIMES, Row, are_readings, rows_of, titles_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.words import Text

_WHOSE = ("replica", "model")
# As `seconds_of` has it: a smaller number is seconds since some beginning.
_UNIX_MIN = 1e8


class Snapshots:
    """Readings in the vocabulary's own names, over time."""

    name = "snapshots"

    def recognises(self, text: str, *, filename: str) -> bool:
        """A header, first line or first item with a time and a name that ends as names of readings do."""
        del filename
        titles = titles_of(text)
        return not titles.isdisjoint(TIMES) and are_readings(titles)

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read every row: the last of each replica as readings, all as series; see `Source.read`.

        Rows may stand in any order. Columns that are no reading are left out, with a note.
        """
        del elapsed_s
        if before is not None:
            what = "a table of snapshots has its earlier values in it, so an earlier text adds nothing"
            raise _refused("no-totals", what, Position(filename, 1, 1), fix="leave out --before")
        table = _Table(vocabulary, filename)
        for at_s, row in sorted(_timed(rows_of(text, filename, counts=table.counts)), key=lambda pair: pair[0]):
            table.add(at_s, row)
        if not table.rows:
            raise _refused("empty-table", "there is no row", Position(filename, 1, 1), expected="a row for each time")
        return Taken(tuple(table.readings()), (), None, tuple(table.notes()), tuple(table.series()))


@dataclass(slots=True)
class _Table:
    """Rows on their way into series, in the order of their times."""

    vocabulary: Vocabulary
    filename: str
    rows: int = 0
    _held: dict[tuple[str, str, str], dict[float, float]] = field(default_factory=dict)
    _last: dict[tuple[str, str, str], Reading] = field(default_factory=dict)
    _unknown: dict[str, None] = field(default_factory=dict)

    def add(self, at_s: float, row: Row) -> None:
        replica, model = (row.cells[key].text if key in row.cells else "" for key in _WHOSE)
        self.rows += 1
        for name, cell in row.cells.items():
            info = self.vocabulary.get(name)
            if name in TIMES or name in _WHOSE:
                continue
            if info is None or not self.counts(name):
                self._unknown[name] = None
                continue
            key = (name, model, replica)
            seen = self._held.setdefault(key, {})
            if at_s in seen:
                whose = f" of {replica}" if replica else ""
                raise _refused("time-twice", f"{name}{whose} has two values at one time", cell.at, "one for each time")
            self._last[key] = reading = reading_in(info, cell, at_s=at_s, replica=replica, model=model)
            if reading.value is not None:
                seen[at_s] = float(reading.value)

    def counts(self, name: str) -> bool:
        """Whether the cells of a column are readings."""
        info = self.vocabulary.get(name)
        return info is not None and info.kind == "reading" and (info.is_numeric or info.type == "bool")

    def readings(self) -> Iterator[Reading]:
        return iter(self._last.values())

    def series(self) -> Iterator[Series]:
        for (name, model, replica), values in self._held.items():
            if values:
                origin = f"column {name} of {self.filename}"
                yield Series(name, tuple(values), tuple(values.values()), origin, replica=replica, model=model)

    def notes(self) -> Iterator[Text]:
        yield from unknown_columns(self._unknown, self.vocabulary)


def _timed(rows: Sequence[Row]) -> Iterator[tuple[float, Row]]:
    first: bool | None = None
    for row in rows:
        name = next((name for name in TIMES if name in row.cells), None)
        if name is None:
            what = "the row has no time" if row.cells else "the row is empty"
            raise _refused("no-time", what, row.at, expected=f"one of {', '.join(TIMES)}")
        cell = row.cells[name]
        at_s = _seconds(cell.text)
        if at_s is None:
            expected = "Unix seconds, seconds since the beginning, or a date such as 2026-11-29T12:00:00Z"
            raise _refused("bad-time", f"{shown(cell.text)} is no time", cell.at, expected)
        is_date = at_s >= _UNIX_MIN
        if first is not None and is_date is not first:
            what = f"{shown(cell.text)} counts from another beginning than the rows before"
            raise _refused("mixed-times", what, cell.at, "all of them dates or Unix seconds, or all seconds since one")
        first = is_date
        yield at_s, row


def _seconds(text: str) -> float | None:
    """Unix seconds; a small number is seconds since some beginning."""
    if (at_s := seconds_of(text)) is not None:
        return at_s
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _refused(code: str, what: str, at: Position, expected: str = "", fix: str = "") -> IntakeError:
    return IntakeError(Problem(code, what, expected=expected, fix=fix, at=at))
