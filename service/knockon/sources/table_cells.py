"""The cells of a table of readings: numbers with or without units, truths, words for "there is none"."""

import math
from collections.abc import Iterable, Iterator

from knockon.expr.vocabulary import NameInfo, Vocabulary, nearest
from knockon.sources.amount import amount_of, is_missing, shown
from knockon.sources.table_rows import Cell
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.words import Text

_TRUTHS = {"true": 1.0, "false": 0.0}
_NAMES_SHOWN_MAX = 5
_LENGTH_MAX = 200


def reading_in(info: NameInfo, cell: Cell, *, at_s: float | None = None, replica: str = "", model: str = "") -> Reading:
    """The reading that a cell holds: measured, missing, or invalid.

    Raises:
        IntakeError: the cell holds something else; with its place.
    """
    origin = f"{info.name} in {cell.at}"

    def made(value: float | bool | None, why: str = "", *, is_invalid: bool = False) -> Reading:
        state = "measured" if value is not None else "invalid" if is_invalid else "missing"
        raw = "" if value is not None else cell.text
        return Reading(info.name, value, origin, state, why, raw, replica, at_s, model)  # type: ignore[arg-type]

    if is_missing(cell.text):
        return made(None, "the cell is empty" if not cell.text else f"the table says {cell.text!r}")
    if info.type == "bool":
        truth = _TRUTHS.get(cell.text.lower(), {"1": 1.0, "0": 0.0}.get(cell.text))
        if truth is None:
            raise _refused("bad-value", f"{info.name} is {shown(cell.text)}", cell.at, "true or false")
        return made(bool(truth))
    if cell.text.lower().lstrip("+-.") in ("inf", "infinity"):
        return made(None, "infinite", is_invalid=True)
    try:
        value = amount_of(cell.text, info.unit).value
    except ValueError as error:
        raise _refused("bad-value", f"{info.name}: {error}", cell.at, "a number, or nothing") from error
    if isinstance(value, float) and not math.isfinite(value):
        return made(None, "too large for a number", is_invalid=True)
    return made(value)


def unknown_columns(names: Iterable[str], vocabulary: Vocabulary) -> Iterator[Text]:
    """A note about columns that are no reading; none where there are no such columns."""
    unknown = list(names)
    if not unknown:
        return
    known = vocabulary.readings
    listed = "; ".join(_meant(name, known) for name in unknown[:_NAMES_SHOWN_MAX])
    more = len(unknown) - _NAMES_SHOWN_MAX
    rest, rest_zh = (f" and {more} more", f" 等另 {more} 列") if more > 0 else ("", "")
    yield Text(f"left out, for it is no reading: {listed}{rest}", f"不是读数，未采用：{listed}{rest_zh}")


def _meant(name: str, known: tuple[str, ...]) -> str:
    near = nearest(name, known) if len(name) <= _LENGTH_MAX else ()
    return f"{shown(name)} (did you mean {near[0]}?)" if near else shown(name)


def _refused(code: str, what: str, at: Position, expected: str = "") -> IntakeError:
    return IntakeError(Problem(code, what, expected=expected, at=at))
