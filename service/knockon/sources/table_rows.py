"""The rows of a table of readings, each cell with its place: from CSV, JSON lines, or a YAML list of flat mappings."""

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO

import yaml
from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from knockon.sources.amount import shown
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import READINGS_MAX
from knockon.terms.place import Position

TIMES = ("at", "at_s", "time", "timestamp")
"""What a column of times may be called."""

LOADS = ("concurrency_count", "requested_requests_per_s")
"""The readings that say how much was asked for."""

# What names of readings are like that no column of a monitor or of a benchmark's export is.
_READING = re.compile(
    r"[a-z][a-z0-9_]*_(?:ratio|factor|per_s|s_p\d\d|tokens_p\d\d|draw_w)|(?:waiting|running|concurrency)_count|step_time_s",
    re.ASCII,
)
_YAML_BEGINNING = re.compile(
    r"(?:\s*#[^\n]*\n|\s+|---)*+(?:-\s+(?P<flow>\{[^{}\n]*\}?)?(?P<block>\w+\s*:)?|(?P<json>\[\s*\{[^{}\n]*))"
)
_KEY = re.compile(r"[{,\s\"](\w+)\"?\s*:")
_BEGINNING_CHARACTERS = 20_000
# What YAML 1.1 takes for nothing.
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
# libyaml is about ten times faster than the Python parser, which is the same in all that is accepted here.
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Cell:
    """One value as it is written, and its place."""

    text: str
    at: Position


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one snapshot by the name of their column."""

    cells: Mapping[str, Cell]
    at: Position


def titles_of(text: str) -> frozenset[str]:
    """What the columns of a table are called, from its beginning; nothing where `text` does not begin as one.

    Of a YAML list in blocks the keys of the first item are its titles.
    """
    beginning = text[:_BEGINNING_CHARACTERS].removeprefix("\ufeff").lstrip()
    first = beginning.partition("\n")[0].strip()
    if first.startswith("{"):
        try:
            row = json.loads(first)
        except (ValueError, RecursionError):
            return frozenset()
        return frozenset(row) if isinstance(row, dict) else frozenset()
    if match := _YAML_BEGINNING.match(beginning):
        inline = match["flow"] or match["json"]
        if inline:
            return frozenset(_KEY.findall(inline))
        if match["block"]:
            item = beginning[match.start("block") :].split("\n-", 1)[0]
            return frozenset(_KEY.findall(f" {item}"))
        return frozenset()
    return frozenset(title.strip().strip('"') for title in first.split(","))


def are_readings(titles: frozenset[str]) -> bool:
    """Whether one of `titles` is called as readings are, and as no column of a monitor or an export is."""
    return any(_READING.fullmatch(title) for title in titles)


def rows_of(text: str, filename: str, *, counts: Callable[[str], bool] = lambda _: True) -> list[Row]:
    """Every row of `text`, in its order.

    Args:
        text: a table of one of the three kinds.
        filename: what the places say the text is.
        counts: whether the cells of a column of that name are among the at most READINGS_MAX.

    Raises:
        IntakeError: the text is no table of one of the three kinds; with the place.
        LimitExceeded: too many cells, seen before they are read.
    """
    bare = text.removeprefix("\ufeff")
    first = bare.lstrip()[:1]
    if first == "{":
        rows = _json_lines(bare, filename)
    elif first in ("-", "[", "#"):
        rows = _yaml_list(bare, filename)
    else:
        _refuse_many(_cells_of_csv(bare, counts), Position(filename, 1, 1))
        rows = _csv(bare, filename)
    return list(_at_most(rows, counts))


def _at_most(rows: Iterator[Row], counts: Callable[[str], bool]) -> Iterator[Row]:
    count = 0
    for row in rows:
        count += sum(map(counts, row.cells))
        _refuse_many(count, row.at)
        yield row


def _refuse_many(count: int, at: Position) -> None:
    if count > READINGS_MAX:
        raise LimitExceeded("the cells of one table", limit=READINGS_MAX, found=count, at=at, fix="give fewer rows")


def _cells_of_csv(text: str, counts: Callable[[str], bool]) -> int:
    """How many cells a table has, without looking at them: reading them takes twenty times as long."""
    reader = csv.reader(StringIO(text))
    try:
        titles = next((cells for cells in reader if any(cell.strip() for cell in cells)), [])
        return sum(1 for cells in reader if cells) * sum(counts(title.strip()) for title in titles)
    except csv.Error:
        # The reading of the rows says where.
        return 0


def _csv(text: str, filename: str) -> Iterator[Row]:
    reader = csv.reader(StringIO(text), strict=True)
    titles: list[str] | None = None
    try:
        for cells in reader:
            at = Position(filename, reader.line_num, 1)
            if not any(cell.strip() for cell in cells):
                continue
            if titles is None:
                titles = [cell.strip() for cell in cells]
                if twice := next((title for title in titles if titles.count(title) > 1), None):
                    raise _refused("column-twice", f"the column {shown(twice)} stands twice", at, "each column once")
                continue
            if len(cells) != len(titles):
                what = f"{len(cells)} cells stand under {len(titles)} columns"
                raise _refused("bad-row", what, at, "one cell for each column; an empty one where there is no value")
            yield Row({title: Cell(cell.strip(), at) for title, cell in zip(titles, cells, strict=True)}, at)
    except csv.Error as error:
        raise _refused("bad-row", str(error), Position(filename, reader.line_num, 1), "a row of CSV") from error


def _json_lines(text: str, filename: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        at = Position(filename, number, 1)
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_float=str, parse_int=str, parse_constant=str)
        except (ValueError, RecursionError) as error:
            raise _refused("bad-row", "the line is no JSON", at, 'an object: {"at": …, "reading": value}') from error
        if not isinstance(row, dict):
            raise _refused("bad-row", "the line is no object", at, '{"at": …, "reading": value}')
        yield Row({key: Cell(_json_text(key, value, at), at) for key, value in row.items()}, at)


def _json_text(key: str, value: object, at: Position) -> str:
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    raise _refused("bad-value", f"{shown(key)} is not one value", at, "a number, a text, true, false or null")


def _yaml_list(text: str, filename: str) -> Iterator[Row]:
    """One row after the other: a tree of the whole text costs fifty times its size, and its end may never be needed."""
    events = yaml.parse(text, Loader=_Loader)
    try:
        yield from _rows_in(events, filename)
    except (yaml.YAMLError, UnicodeError, RecursionError) as error:
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        at = Position(filename, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1)
        raise _refused("bad-yaml", "the text is no YAML", _inside(text, at), "a list of snapshots") from error


def _rows_in(events: Iterator[Event], filename: str) -> Iterator[Row]:
    _, _, top = next(events), next(events), next(events)
    if not isinstance(top, SequenceStartEvent):
        raise _refused("not-a-list", "the text is no list", Position(filename, 1, 1), "- {at: …, reading: value}")
    anchors: dict[str, str] = {}
    while not isinstance(item := next(events), SequenceEndEvent):
        at = _at(item, filename)
        if not isinstance(item, MappingStartEvent):
            raise _refused("bad-row", "a snapshot is no mapping", at, "{at: …, reading: value}")
        cells: dict[str, Cell] = {}
        while not isinstance(key := next(events), MappingEndEvent):
            name, value = _scalar(key, anchors), next(events)
            text = _scalar(value, anchors)
            if name is None or text is None:
                raise _refused("bad-value", "a value is a mapping or a list", _at(value, filename), "one value")
            if name in cells:
                raise _refused("key-twice", f"{shown(name)} stands twice", _at(key, filename), "each key once")
            cells[name] = Cell("" if _is_null(value) else text, _at(value, filename))
        yield Row(cells, at)
    if more := next((one for one in events if not isinstance(one, DocumentEndEvent | StreamEndEvent)), None):
        raise _refused("bad-yaml", "a second document begins", _at(more, filename), "a list of snapshots")


def _scalar(event: Event, anchors: dict[str, str]) -> str | None:
    """The text of a scalar, or of the one that an alias stands for; None for anything else."""
    if isinstance(event, AliasEvent):
        return anchors.get(str(event.anchor))
    if not isinstance(event, ScalarEvent):
        return None
    text = str(event.value)
    if event.anchor:
        anchors[event.anchor] = "" if _is_null(event) else text
    return text


def _is_null(event: Event) -> bool:
    if not isinstance(event, ScalarEvent):
        return False
    is_plain = event.implicit[0] and not event.tag
    return (is_plain and event.value in _NULLS) or str(event.tag).endswith(":null")


def _inside(text: str, at: Position) -> Position:
    """The place, or the end of the text where it lies behind that."""
    whole = text.rstrip()
    end = Position(at.path, whole.count("\n") + 1, len(whole) - whole.rfind("\n"))
    return min(at, end, key=lambda one: (one.line, one.column))


def _at(event: Event, filename: str) -> Position:
    assert event.start_mark is not None, "what is parsed from a text has a place"
    return Position(filename, event.start_mark.line + 1, event.start_mark.column + 1)


def _refused(code: str, what: str, at: Position, expected: str, fix: str = "") -> IntakeError:
    return IntakeError(Problem(code, what, expected=expected, fix=fix, at=at))
