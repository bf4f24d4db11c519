"""Reads a table of a load sweep: a row for each load, a column for each reading."""

from collections.abc import Iterator

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.amount import shown
from knockon.sources.base import Taken
from knockon.sources.table_cells import reading_in, unknown_columns
from knockon.sources.table_rows import LOADS, TIMES, Row, are_readings, rows_of, titles_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.run import Run

_NAME = "run"
_CALLED = {"concurrency_count": "concurrency", "requested_requests_per_s": "rate"}


class Loads:
    """Readings in the vocabulary's own names, by load."""

    name = "loads"

    def recognises(self, text: str, *, filename: str) -> bool:
        """A table without times, with a load and a name that ends as names of readings do."""
        del filename
        titles = titles_of(text)
        is_load = not titles.isdisjoint(LOADS) and titles.isdisjoint(TIMES)
        return is_load and are_readings(titles - set(LOADS))

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read every row as a run; see `Source.read`. Columns that are no reading are left out, with a note."""
        del elapsed_s
        if before is not None:
            what = "a table of loads holds no running totals, so an earlier one adds nothing"
            raise IntakeError(Problem("no-totals", what, fix="leave out --before", at=Position(filename, 1, 1)))
        rows = rows_of(text, filename)
        if not rows:
            problem = Problem("empty-table", "there is no row", "a row for each load", at=Position(filename, 1, 1))
            raise IntakeError(problem)
        unknown = {name: None for row in rows for name in row.cells if not _is_reading(name, vocabulary)}
        runs = tuple(_run(row, vocabulary) for row in rows)
        return Taken((), (), None, tuple(unknown_columns((n for n in unknown if n != _NAME), vocabulary)), runs=runs)


def _run(row: Row, vocabulary: Vocabulary) -> Run:
    load_of = next((name for name in LOADS if name in row.cells and row.cells[name].text), None)
    if load_of is None:
        expected = f"one of {', '.join(LOADS)}"
        raise IntakeError(Problem("no-load", "the row has no load", expected=expected, at=row.at))
    readings = tuple(_readings(row, vocabulary))
    load = next((one.value for one in readings if one.name == load_of), None)
    if isinstance(load, bool) or not isinstance(load, int | float) or load <= 0:
        cell = row.cells[load_of]
        what = f"{shown(cell.text)} is no load"
        raise IntakeError(Problem("bad-load", what, expected="a number over 0", at=cell.at))
    said = row.cells[_NAME].text if _NAME in row.cells else ""
    return Run(said or f"{_CALLED[load_of]} {load:g}", readings, float(load), load_of)


def _readings(row: Row, vocabulary: Vocabulary) -> Iterator[Reading]:
    for name, cell in row.cells.items():
        if _is_reading(name, vocabulary):
            yield reading_in(vocabulary.info(name), cell)


def _is_reading(name: str, vocabulary: Vocabulary) -> bool:
    info = vocabulary.get(name)
    return info is not None and info.kind == "reading" and (info.is_numeric or info.type == "bool")
