"""Reads what nvidia-smi says of the GPUs: duty cycle, device memory, power, throttling. Not how hard they work."""

import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.sources.amount import amount_of, is_missing, shown
from knockon.sources.base import Taken
from knockon.sources.nvidia_smi.sheet import Cell, Gpu, read_sheet, titles_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact, Origin
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.unit import Unit, parse_unit
from knockon.terms.words import Scalar, Text

_RAW_CHARACTERS = 120
_BEGINNING_CHARACTERS = 20_000
_TRUTHS = {"Active": True, "Not Active": False}


class NvidiaSmi:
    """`nvidia-smi --query-gpu=… --format=csv`."""

    name = "nvidia-smi"

    def recognises(self, text: str, *, filename: str) -> bool:
        """A first line of field names, one of which is known here."""
        del filename
        line = text[:_BEGINNING_CHARACTERS].removeprefix("\ufeff").lstrip().split("\n", 1)[0]
        titles = titles_of(line.strip())
        return titles is not None and not _known_fields().isdisjoint(titles)

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read every GPU's last row; see `Source.read`. There are no running totals, so `before` is refused."""
        del elapsed_s
        if before is not None:
            what = "nvidia-smi prints no running totals, so an earlier output adds nothing"
            raise IntakeError(Problem("no-totals", what, fix="leave out --before", at=Position(filename, 1, 1)))
        gpus, rows = read_sheet(text, filename)
        readings = [reading for gpu in gpus for reading in _readings(gpu, vocabulary)]
        notes = (_last_rows(rows, len(gpus)),) if rows > len(gpus) else ()
        return Taken(tuple(readings), tuple(_facts(gpus, vocabulary)), None, notes)


def _last_rows(rows: int, gpus: int) -> Text:
    return Text(
        f"{rows} rows of {gpus} GPUs: the last row of each is read, earlier ones are left out",
        f"{gpus} 张 GPU 共 {rows} 行：只取每张 GPU 的最后一行",
    )


@cache
def _table() -> Mapping[str, Any]:
    """Read fields.yaml, once per process; a mistake in it is our fault and fails with KeyError."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = Path(__file__).with_name("fields.yaml").read_text(encoding="utf-8")
    table: Mapping[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - either one is a safe loader
    return table


@cache
def _known_fields() -> frozenset[str]:
    table = _table()
    values = {entry["field"] for entries in table["values"].values() for entry in entries}
    shares = {entry[key] for entry in table["shares"].values() for key in ("field", "over")}
    active = {field for groups, kinds in table["active"].values() for field in _crossed(groups, kinds)}
    return frozenset(values | shares | active)


def _crossed(groups: list[str], kinds: list[str]) -> Iterator[str]:
    return (f"{group}.{kind}" for group in groups for kind in kinds)


def _readings(gpu: Gpu, vocabulary: Vocabulary) -> Iterator[Reading]:
    table = _table()
    for name, entries in table["values"].items():
        found = [_value(name, gpu, entry, vocabulary) for entry in entries if entry["field"] in gpu.cells]
        if found:
            yield next((reading for reading in found if reading.state == "measured"), found[0])
    for name, entry in table["shares"].items():
        if entry["field"] in gpu.cells:
            yield _share(name, gpu, entry)
    for name, (groups, kinds) in table["active"].items():
        cells = {field: gpu.cells[field] for field in _crossed(groups, kinds) if field in gpu.cells}
        if cells:
            yield _any_active(name, gpu, cells)


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
    for name, entry in _table()["facts"].items():
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
