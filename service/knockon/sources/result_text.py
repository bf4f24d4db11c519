"""JSON texts of load generators: one document, several behind one another, or one a line; bare NaN and Infinity too."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import INTAKE_DEPTH_MAX, INTEGER_DIGITS_MAX, READINGS_MAX
from knockon.terms.place import Position
from knockon.terms.words import Json, JsonObject

_BEGINNING_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Result:
    """One mapping of a text and where it begins."""

    data: JsonObject
    at: Position
    values: Mapping[str, Json] = field(default_factory=dict)
    """Its plain values by dotted path ("latency.ttft.p99"); lists stay whole."""


def has_keys(text: str, *keys: str) -> bool:
    """Whether the text begins as JSON and has all of `keys` near its beginning."""
    beginning = text[:_BEGINNING_CHARACTERS].removeprefix("\ufeff").lstrip()
    return beginning[:1] in ("{", "[") and all(f'"{key}"' in beginning for key in keys)


def read_results(text: str, filename: str) -> tuple[list[Result], Position | None]:
    """Every mapping of the text, in order, and where a last one breaks off that was not written to its end.

    Raises:
        IntakeError: not JSON, or no mapping in it; with the place. LimitExceeded: too deep, or too many.
    """
    found: list[Result] = []
    for data, at in _documents(text.removeprefix("\ufeff"), filename):
        if at is not None and data is None:
            if not found:
                raise IntakeError(Problem("json-syntax", "not JSON", "a result as its tool writes it", at=at))
            return found, at
        held = data if isinstance(data, list) else [data]
        found += [result_of(one, at or Position(filename, 1, 1)) for one in held if isinstance(one, dict)]
        if len(found) > READINGS_MAX:
            raise LimitExceeded("the results of one text", limit=READINGS_MAX, at=at, fix="give the part that matters")
    if not found:
        what = "there is no result in the text"
        raise IntakeError(Problem("no-result", what, "a JSON object per run", at=Position(filename, 1, 1)))
    return found, None


def result_of(data: JsonObject, at: Position) -> Result:
    """`data` with its plain values by path; raises LimitExceeded where it is nested too deep."""
    values: dict[str, Json] = {}
    waiting: list[tuple[str, JsonObject, int]] = [("", data, 1)]
    while waiting:
        prefix, held, depth = waiting.pop()
        if depth > INTAKE_DEPTH_MAX:
            raise LimitExceeded("the nesting of a JSON file", limit=INTAKE_DEPTH_MAX, at=at)
        for key, value in held.items():
            if isinstance(value, dict):
                waiting.append((f"{prefix}{key}.", value, depth + 1))
            else:
                values[f"{prefix}{key}"] = value
    return Result(data, at, values)


def _documents(text: str, filename: str) -> Iterator[tuple[Json, Position | None]]:
    """(document, its place); None for a document that cannot be read, and then nothing more."""
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer)
    index, line = 0, 1
    while True:
        start = index
        while index < len(text) and text[index] in " \t\r\n":
            index += 1
        line += text.count("\n", start, index)
        if index == len(text):
            return
        at = Position(filename, line, index - text.rfind("\n", 0, index))
        try:
            data, end = decoder.raw_decode(text, index)
        except _TwiceError as error:
            what = f"key {str(error)[:80]!r} is given twice"
            raise IntakeError(Problem("duplicate-key", what, fix="remove one", at=at)) from error
        except RecursionError as error:
            raise LimitExceeded("the nesting of a JSON file", limit=INTAKE_DEPTH_MAX, at=at) from error
        except ValueError:
            yield None, at
            return
        yield data, at
        line += text.count("\n", index, end)
        index = end


class _TwiceError(Exception):
    """A key stands twice in one object."""


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(key)
        found[key] = value
    return found


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= INTEGER_DIGITS_MAX else float(text)
