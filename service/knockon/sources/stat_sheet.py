"""The CSV of statistics that AIPerf and genai-perf write: a metric per row, in tables one under the other."""

import csv
import re
from collections.abc import Iterator

from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.words import Json

_TITLE = re.compile(
    r"(?:(?P<stat>p\d{1,2}|avg|min|max)\.?\s+)?(?P<name>[^()]+?)\s*(?:\((?P<unit>[^()]*)\))?", re.IGNORECASE
)
_OTHER = re.compile(r"[^a-z0-9]+")
# A line of these tables has some dozen cells.
_CELL_CHARACTERS_MAX = 10_000


def first_line(text: str) -> str:
    """The first line that says anything, without the blanks around it."""
    return text[:_CELL_CHARACTERS_MAX].removeprefix("\ufeff").lstrip().partition("\n")[0].strip()


def tables_of(text: str, filename: str) -> list[list[tuple[int, list[str]]]]:
    """The tables between blank lines: (line, cells) of each row, the header first.

    Raises:
        IntakeError: no CSV; with the line.
    """
    tables: list[list[tuple[int, list[str]]]] = [[]]
    reader = csv.reader(text.removeprefix("\ufeff").splitlines())
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                tables[-1].append((reader.line_num, [cell.strip() for cell in cells]))
            elif tables[-1]:
                tables.append([])
    except csv.Error as error:
        at = Position(filename, reader.line_num, 1)
        raise IntakeError(Problem("csv-syntax", f"not CSV: {error}", "rows of one width", at=at)) from error
    return [table for table in tables if table]


def statistic_of(title: str) -> tuple[str, str, str]:
    """(metric, statistic, unit) of "p99 Time To First Token (ms)"; the statistic is "" where the title has none."""
    match = _TITLE.fullmatch(title[:200])
    if match is None:
        return "", "", ""
    return _OTHER.sub("_", match["name"].lower()).strip("_"), (match["stat"] or "").lower(), match["unit"] or ""


def statistics_of(table: list[tuple[int, list[str]]]) -> Iterator[tuple[str, dict[str, Json]]]:
    """(metric, its statistics and unit) of a table with a metric per row; cells behind the last title are left out."""
    titles = [title.lower() for title in table[0][1]]
    for _, cells in table[1:]:
        metric, _, unit = statistic_of(cells[0])
        held: dict[str, Json] = {title: cell for title, cell in zip(titles[1:], cells[1:], strict=False) if cell}
        if metric:
            yield metric, {**held, "unit": unit} if unit else held
