"""One result of a load generator as a run: its fields by the table of its tool, then what follows from them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.result_derived import Said, derived, not_streamed
from knockon.sources.result_number import Number, number_of
from knockon.sources.result_table import KNOWN, Field, Table
from knockon.sources.result_text import Result
from knockon.terms.reading import Reading
from knockon.terms.run import Run
from knockon.terms.unit import Unit
from knockon.terms.words import Json

_RAW_CHARACTERS = 120
_RATE, _CONCURRENCY = "requested_requests_per_s", "concurrency_count"
_TITLES = {_RATE: "rate", _CONCURRENCY: "concurrency"}


@dataclass(frozen=True, slots=True)
class Written:
    """A field that is there, as it is written."""

    field: Field
    raw: Json
    unit: str


def run_of(
    result: Result,
    table: Table,
    vocabulary: Vocabulary,
    *,
    name: str = "",
    subject: str = "",
    more: tuple[Reading, ...] = (),
) -> Run:
    """The run of one result.

    Args:
        result: its fields by path.
        table: which field is which reading.
        vocabulary: the unit of each reading.
        name: what the run is called; by its load where it is empty.
        subject: what was measured, where it differs within a text.
        more: readings that the table cannot give (of GPUs, of single requests).
    """
    readings = [
        _reading(name_, written, vocabulary.info(name_).unit, result)
        for name_, fields in table.readings.items()
        if (written := _written(fields, result.values)) is not None
    ]
    said = _said(table, result)
    readings = [*not_streamed(readings, said)]
    readings += [one for one in more if one.name not in {reading.name for reading in readings}]
    readings += derived(readings, said, at=str(result.at))
    load_of, load = _load(readings, said)
    called = name or (f"{_TITLES[load_of]} {load:.4g}" if load is not None else "")
    return Run(called, tuple(readings), load, load_of, subject, text_of(table, "model", result))


def text_of(table: Table, what: str, result: Result) -> str:
    """The first word that the result says of `what` (model, dataset, backend); empty where it says none."""
    for path in table.texts.get(what, ()):
        value = result.values.get(path)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value.strip():
            return value.strip()[:_RAW_CHARACTERS]
    return ""


def _written(fields: tuple[Field, ...], values: Mapping[str, Json]) -> Written | None:
    for field in fields:
        if field.path in values:
            # Tools that write a unit beside their numbers may change it; theirs wins over the one we read once.
            unit = values.get(f"{field.path.rpartition('.')[0]}.unit")
            return Written(field, values[field.path], unit if isinstance(unit, str) else field.unit)
    return None


def _reading(name: str, written: Written, unit: Unit, result: Result) -> Reading:
    origin = f"{written.field.path} in {result.at}"
    raw = "null" if written.raw is None else str(written.raw)[:_RAW_CHARACTERS]
    number = number_of(written.raw, written.unit, unit)
    if number.value is None:
        return Reading(name, None, origin, "invalid" if number.is_infinite else "missing", number.why, raw)
    value = int(number.value) if isinstance(written.raw, int) and number.value == written.raw else number.value
    return Reading(name, value, f"{origin}, {number.converted}" if number.converted else origin)


def _said(table: Table, result: Result) -> Said:
    """What the result says beside readings."""
    held: dict[str, Number] = {}
    for name, fields in table.known.items():
        written = _written(fields, result.values)
        if written is not None:
            held[name] = number_of(written.raw, written.unit, KNOWN[name])
    streamed = next(_truths(table.texts.get("streamed", ()), result.values), None)
    return Said(held, streamed)


def _truths(paths: tuple[str, ...], values: Mapping[str, Json]) -> Iterator[bool]:
    return (value for path in paths if isinstance(value := values.get(path), bool))


def _load(readings: list[Reading], said: Said) -> tuple[str, float | None]:
    """The reading that the load is and its value: the rate that was asked for, else the concurrency."""
    for name in (_RATE, _CONCURRENCY):
        for reading in readings:
            if reading.name == name and isinstance(reading.value, int | float):
                asked = said.value("concurrency_asked") if name == _CONCURRENCY else None
                return name, float(reading.value if asked is None else asked)
    return "", None
