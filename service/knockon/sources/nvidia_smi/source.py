"""Reads what nvidia-smi says of the GPUs: duty cycle, device memory, power, throttling. Not how hard they work."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.sources.amount import amount_of, is_missing, shown
from knockon.sources.base import Taken
from knockon.sources.moment import seconds_of
from knockon.sources.nvidia_smi.dmon import looks_like_dmon
from knockon.sources.nvidia_smi.fields import crossed, known_fields, table
from knockon.sources.nvidia_smi.sheet import Cell, Gpu, named_titles, read_dmon, read_sheet, titles_of
from knockon.sources.nvidia_smi.topology import looks_like_topology, topology_note
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact, Origin
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.unit import Unit, parse_unit
from knockon.terms.words import Scalar, Text

_RAW_CHARACTERS = 120
_BEGINNING_CHARACTERS = 20_000
# Columns that a note lists; a sheet with all that nvidia-smi has would fill the screen.
_COLUMNS_SHOWN = 8
# What most of the readings need, by nvidia-smi's own names; a test holds them against fields.yaml.
_ASK_FOR = ("utilization.gpu", "memory.used", "memory.total", "power.draw", "enforced.power.limit")
_TRUTHS = {"Active": True, "Not Active": False}


class NvidiaSmi:
    """`nvidia-smi --query-gpu=… --format=csv`, `dmon`, `topo -m`, and CSVs in the manner of the first."""

    name = "nvidia-smi"

    def recognises(self, text: str, *, filename: str) -> bool:
        """A first line of field names, one of which is known here; dmon's header or rows; topo's header."""
        del filename
        lines = text[:_BEGINNING_CHARACTERS].removeprefix("\ufeff").lstrip().split("\n")
        titles = named_titles(titles_of(lines[0].strip()) or {})
        if titles and not known_fields().isdisjoint(titles):
            return True
        return looks_like_dmon(lines) or looks_like_topology(lines)

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read every GPU's last row, and all rows as series where they have times; see `Source.read`.

        There are no running totals, so `before` is refused.
        """
        del elapsed_s
        if before is not None:
            what = "nvidia-smi prints no running totals, so an earlier output adds nothing"
            raise IntakeError(Problem("no-totals", what, fix="leave out --before", at=Position(filename, 1, 1)))
        lines = text.removeprefix("\ufeff").lstrip().split("\n")
        if looks_like_topology(lines):
            return Taken((), (), None, (topology_note(lines, filename),))
        is_dmon = looks_like_dmon(lines)
        rows, has_header = read_dmon(text, filename) if is_dmon else (read_sheet(text, filename), True)
        last = list({gpu.name: gpu for gpu in rows}.values())
        readings = [replace(one, at_s=_at_s(gpu)) for gpu in last for one in _readings(gpu, vocabulary)]
        series = tuple(_series(rows, vocabulary, filename)) if len(rows) > len(last) else ()
        notes = [] if has_header else [_no_header(filename)]
        if not readings:
            notes.append(_none_read(last))
        elif len(rows) > len(last):
            notes.append(_last_rows(len(rows), len(last), has_series=bool(series)))
        return Taken(tuple(readings), tuple(_facts(last, vocabulary)), None, tuple(notes), series)


def _last_rows(rows: int, gpus: int, *, has_series: bool) -> Text:
    if has_series:
        return Text(
            f"{rows} rows of {gpus} GPUs: the readings are of the last row of each, earlier ones are kept as series",
            f"{gpus} 张 GPU 共 {rows} 行：读数取每张 GPU 的最后一行，其余行作为时间序列",
        )
    return Text(
        f"{rows} rows of {gpus} GPUs: the last row of each is read, earlier ones are left out",
        f"{gpus} 张 GPU 共 {rows} 行：只取每张 GPU 的最后一行",
    )


def _none_read(gpus: Sequence[Gpu]) -> Text:
    """Which columns there are, where no reading came of them, and which would make one."""
    there = [shown(field) for field in dict.fromkeys(field for gpu in gpus for field in gpu.cells)]
    listed = ", ".join(there[:_COLUMNS_SHOWN])
    en, zh = (
        (f" and {len(there) - _COLUMNS_SHOWN} more", f" 等 {len(there)} 列") if there[_COLUMNS_SHOWN:] else ("", "")
    )
    wanted = ", ".join(_ASK_FOR)
    return Text(
        f"No column is a reading: there are {listed}{en}; ask nvidia-smi for {wanted}",
        f"没有一列是读数：现有列为 {listed}{zh}；请让 nvidia-smi 输出 {wanted}",
    )


def _no_header(filename: str) -> Text:
    return Text(
        f"{filename} has no header: its columns are read as dmon prints them without options",
        f"{filename} 没有表头：按 dmon 不带选项时的列读取",
    )


def _at_s(gpu: Gpu) -> float | None:
    cell = gpu.cells.get("timestamp")
    return None if cell is None else seconds_of(cell.text)


def _series(rows: Sequence[Gpu], vocabulary: Vocabulary, filename: str) -> Iterator[Series]:
    """Every number of every GPU over time; rows without a time, or older than one before them, are left out."""
    held: dict[tuple[str, str], dict[float, float]] = {}
    for gpu in rows:
        at_s = _at_s(gpu)
        for reading in _readings(gpu, vocabulary) if at_s is not None else ():
            values = held.setdefault((gpu.name, reading.name), {})
            is_number = isinstance(reading.value, int | float) and not isinstance(reading.value, bool)
            if at_s is not None and is_number and at_s >= next(reversed(values), at_s):
                values[at_s] = float(reading.value or 0)
    for (gpu_name, name), values in held.items():
        if len(values) > 1:
            yield Series(name, tuple(values), tuple(values.values()), f"rows of {filename}", replica=gpu_name)


def _readings(gpu: Gpu, vocabulary: Vocabulary) -> Iterator[Reading]:
    for name, entries in table()["values"].items():
        found = [_value(name, gpu, entry, vocabulary) for entry in entries if entry["field"] in gpu.cells]
        if found:
            yield next((reading for reading in found if reading.state == "measured"), found[0])
    for name, entry in table()["shares"].items():
        if entry["field"] in gpu.cells:
            yield _share(name, gpu, entry)
    for name, (groups, kinds) in table()["active"].items():
        cells = {field: gpu.cells[field] for field in crossed(groups, kinds) if field in gpu.cells}
        cells |= {field: _truth(gpu.cells[field]) for field in table()["not_zero"][name] if field in gpu.cells}
        if cells:
            yield _any_active(name, gpu, cells)


def _truth(cell: Cell) -> Cell:
    """A number as the words of the other reasons: active when not 0."""
    word = cell.text if is_missing(cell.text) else "Active" if float(cell.text) else "Not Active"
    return replace(cell, text=word)


def _value(name: str, gpu: Gpu, entry: Mapping[str, str], vocabulary: Vocabulary) -> Reading:
    cell = gpu.cells[entry["field"]]
    origin = f"{entry['field']}{{{gpu.name}}} in {cell.at}"
    number = _number(cell, vocabulary.info(name).unit, entry["unit"])
    if number is None:
        return _missing(name, gpu, cell, origin)
    value, converted = number
    return Reading(name, value, f"{origin}, {converted}" if converted else origin, replica=gpu.name)


def _share(name: str, gpu: Gpu, entry: Mapping[str, str]) -> Reading:
    cell, whole_cell = gpu.cells[entry["field"]], gpu.cells.get(entry["over"])
    origin = f"{entry['field']} / {entry['over']}{{{gpu.name}}} in {cell.at}"
    raw = cell.text[:_RAW_CHARACTERS]
    if whole_cell is None:
        why = f"{entry['over']} is not among the fields"
        return Reading(name, None, origin, "missing", why, raw, gpu.name)
    byte = parse_unit("byte")
    part, whole = _number(cell, byte, entry["unit"]), _number(whole_cell, byte, entry["unit"])
    if part is None or whole is None:
        return _missing(name, gpu, cell if part is None else whole_cell, origin)
    if whole[0] <= 0:
        return Reading(name, None, origin, "missing", f"{entry['over']} is {whole_cell.text}", raw, gpu.name)
    said = f"{cell.text} of {whole_cell.text}"
    return Reading(name, part[0] / whole[0], f"{origin}, {said}", replica=gpu.name)


def _any_active(name: str, gpu: Gpu, cells: Mapping[str, Cell]) -> Reading:
    """True as soon as one is active; false only when all that were asked for say so."""
    first = next(iter(cells.values()))
    active = [field for field, cell in cells.items() if _TRUTHS.get(cell.text)]
    unknown = next((cell for cell in cells.values() if cell.text not in _TRUTHS), None)
    origin = f"{' or '.join(cells)}{{{gpu.name}}} in {first.at}"
    if active:
        return Reading(name, True, f"{origin}, active: {' and '.join(active)}", replica=gpu.name)
    if unknown is not None:
        return _missing(name, gpu, unknown, origin)
    return Reading(name, False, origin, replica=gpu.name)


def _missing(name: str, gpu: Gpu, cell: Cell, origin: str) -> Reading:
    why = f"nvidia-smi says {shown(cell.text)}"
    return Reading(name, None, origin, "missing", why, cell.text[:_RAW_CHARACTERS], gpu.name)


def _number(cell: Cell, unit: Unit, default: str) -> tuple[int | float, str] | None:
    """The value in base units and what was converted; None where there is none.

    Raises:
        IntakeError: it is neither a number nor one of the words for "no value".
    """
    if is_missing(cell.text):
        return None
    try:
        amount = amount_of(cell.text, unit, written_in=cell.unit or default)
    except ValueError as error:
        raise IntakeError(Problem("bad-value", str(error), expected="a number or [N/A]", at=cell.at)) from error
    return amount.value, amount.converted


def _facts(gpus: list[Gpu], vocabulary: Vocabulary) -> Iterator[Fact]:
    """What all GPUs agree on; a number that cannot be is no fact."""
    for name, entry in table()["facts"].items():
        info, field = vocabulary.info(name), entry["field"]
        cells = [gpu.cells[field] for gpu in gpus if field in gpu.cells and not is_missing(gpu.cells[field].text)]
        values = {_fact_value(cell, info, entry.get("unit", "")) for cell in cells}
        value = values.pop() if len(values) == 1 else None
        if value is not None:
            yield Fact(name, value, Origin("file", field, cells[0].at))


def _fact_value(cell: Cell, info: NameInfo, default: str) -> Scalar | None:
    if not info.is_numeric:
        return cell.text[:_RAW_CHARACTERS]
    number = _number(cell, info.unit, default)
    if number is None or not (info.minimum or 0) <= number[0] <= (info.maximum or math.inf):
        return None
    return int(number[0]) if info.type == "int" else number[0]
