"""Reads `{readings: {name: value}, facts: {…}}`, or a flat mapping of readings by any of their names; see `free`.

A value is a number, true or false, a text with a unit ("93 %", "120 ms", "40 GiB"), null or "N/A" for missing, or a
mapping `{value, unit, replica, at_s, estimated}`; a list has one of these per replica. A report as people write it has
`observations` with free names instead; see `report`.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from knockon.expr.vocabulary import NameInfo, NameKind, Vocabulary, nearest
from knockon.sources.amount import amount_of, is_missing, shown
from knockon.sources.base import Taken
from knockon.sources.document import Items, Keys, Node, Word, refused
from knockon.sources.readings.forms import OBSERVATIONS, is_listed, top_of
from knockon.sources.readings.free import Meant, meant
from knockon.sources.readings.plainly import told_in
from knockon.sources.readings.prose import TEXTS
from knockon.sources.readings.report import loosely_said, read_report, taken_together
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact, Origin
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.unit import ONE
from knockon.terms.words import Scalar

# A name of several words is one of readings only where a number, a text in quotes or a list follows: prose has colons.
_BEGINNING = re.compile(
    r"(?:\s*#[^\n]*\n|\s+|---)*+"
    r"(?:\{|[\"']?\w+[\"']?\s*:(?=\s|$)|[\"']?\w[^\n:{}#,\"']{0,79}[\"']?\s*:(?=\s+[-+.\d\[{\"'~<>≈]))",
    re.MULTILINE,
)
_BEGINNING_CHARACTERS = 20_000
_ENTRY_KEYS = frozenset({"value", "unit", "replica", "at_s", "estimated"})
_TRUTHS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
# As much of a name that is not understood as anybody wants to see again.
_NAME_MAX = 80
_LISTED_MAX = 10
_INFINITE = re.compile(r"[-+]?\.?inf(?:inity)?", re.IGNORECASE)


class Readings:
    """Readings in the vocabulary's own names."""

    name = "readings"

    def recognises(self, text: str, *, filename: str) -> bool:
        """A YAML or JSON mapping, or a list of observations: a brace, or a word with a colon and a blank behind it."""
        del filename
        beginning = text[:_BEGINNING_CHARACTERS].removeprefix("\ufeff")
        return _BEGINNING.match(beginning) is not None or is_listed(beginning)

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read the whole file; see `Source.read`. A name that is unknown or a value that cannot be is an error."""
        del elapsed_s
        if before is not None:
            what = "a readings file holds no running totals, so an earlier one adds nothing"
            raise refused("no-totals", what, at=Position(filename, 1, 1), fix="leave out --before")
        top = top_of(text.removeprefix("\ufeff"), filename)
        if not isinstance(top, Keys):
            raise refused("not-a-mapping", "the file is not a mapping", at=top.at, expected="reading: value")
        return replace(_taken(top, vocabulary), told=told_in(top))


def _taken(top: Keys, vocabulary: Vocabulary) -> Taken:
    if OBSERVATIONS in top.held:
        return read_report(top, vocabulary)
    if not {"readings", "facts"} & top.held.keys():
        return _flat(top, vocabulary)
    parts = _parts(top)
    readings: list[Reading] = []
    for name, info, node, at in _named(parts.get("readings"), vocabulary, kind="reading"):
        readings += _readings_of(name, info, node, at)
    facts = tuple(
        _fact(name, info, node) for name, info, node, _ in _named(parts.get("facts"), vocabulary, kind="fact")
    )
    engine = next((str(fact.value) for fact in facts if fact.name == "engine"), None)
    return Taken(tuple(readings), facts, engine)


def _flat(top: Keys, vocabulary: Vocabulary) -> Taken:
    """Readings by any of their names; a name that is not understood is an invalid reading with the reason.

    Names that say something together ("tput before", "tput after") are taken as in a report, and texts beside them too.

    Raises:
        IntakeError: none of the names is understood, two of them mean one reading, or a value cannot be.
    """
    texts = {name for name in top.held if name in TEXTS and isinstance(top.held[name], Word)}
    names = [name for name in top.held if name not in texts]
    understood = {name: meant(name, vocabulary) for name in names}
    unclear = {name: one for name, one in understood.items() if isinstance(one, Problem)}
    beside = taken_together(top, names, unclear, vocabulary)
    if len(unclear) == len(understood) and not (beside.readings or beside.facts):
        _refuse_all(top, unclear)
    readings: list[Reading] = []
    said_as: dict[str, str] = {}
    for name in names:
        one, node, at = understood[name], top.held[name], top.key_at[name]
        if isinstance(one, Problem):
            if name not in beside.names:
                raw = node.text if isinstance(node, Word) else "…"
                readings.append(Reading(name[:_NAME_MAX], None, str(at), state="invalid", why=str(one), raw=raw))
            continue
        other = said_as.setdefault(one.info.name, name)
        if other != name:
            what = f"{shown(name)} and {shown(other)} are both {one.info.name}"
            raise refused("given-twice", what, at=at, expected="each reading once", fix="leave out all but one of them")
        if not one.is_own and (loosely := loosely_said(Word(name, at), node, vocabulary)):
            readings += loosely
            continue
        found = _readings_of(one.info.name, one.info, node, at, unit=Word(one.unit, at) if one.unit else None)
        readings += found if one.is_own else (_by_another_name(reading, one, name) for reading in found)
    own = {reading.name for reading in readings}
    readings += (reading for reading in beside.readings if reading.name not in own)
    engine = next((str(fact.value) for fact in beside.facts if fact.name == "engine"), None)
    return Taken(tuple(readings), beside.facts, engine)


def _refuse_all(top: Keys, unclear: Mapping[str, Problem]) -> None:
    """Raise IntakeError for the first name, with the others; an empty mapping is no reason to."""
    if not unclear:
        return
    first, *others = unclear
    more = f"; nor is {' or '.join(map(shown, others[:_LISTED_MAX]))}" if others else ""
    more += f" or {len(others) - _LISTED_MAX} others" if len(others) > _LISTED_MAX else ""
    one = unclear[first]
    raise IntakeError(replace(one, what=f"{one.what}{more}", at=top.key_at[first]))


def _by_another_name(reading: Reading, said: Meant, name: str) -> Reading:
    """The reading as a person tells it: of what is left where that was said."""
    origin = f"{shown(name)}, {reading.origin}"
    if said.is_complement and isinstance(reading.value, int | float) and not isinstance(reading.value, bool):
        return replace(reading, value=1 - reading.value, origin=origin, quality="reported")
    return replace(reading, origin=origin, quality="reported")


def _parts(top: Keys) -> dict[str, Keys]:
    parts: dict[str, Keys] = {}
    for key, node in top.held.items():
        if key not in ("readings", "facts"):
            what = f"{shown(key)} stands beside readings and facts"
            raise refused("unknown-key", what, at=top.key_at[key], expected="readings, facts", fix="move it into one")
        if isinstance(node, Keys):
            parts[key] = node
        elif not (isinstance(node, Word) and node.text in _NULLS):
            raise refused("not-a-mapping", f"{key} is not a mapping", at=node.at, expected="name: value")
    return parts


def _named(
    part: Keys | None, vocabulary: Vocabulary, *, kind: NameKind
) -> Iterator[tuple[str, NameInfo, Node, Position]]:
    """Each entry with what the vocabulary says of its name."""
    for name, node in part.held.items() if part else ():
        info = vocabulary.get(name)
        at = part.key_at[name] if part else node.at
        if info is None or info.kind != kind:
            known = tuple(other for other, about in vocabulary.names.items() if about.kind == kind)
            raise _unknown(kind, name, at, known)
        yield name, info, node, at


def _unknown(kind: str, name: str, at: Position, known: tuple[str, ...]) -> IntakeError:
    near = nearest(name, known) if len(name) <= 200 else ()
    meant = f"did you mean {' or '.join(repr(other) for other in near)}?" if near else ""
    listed = f"`knockon catalog list {kind}s` lists every {kind}" if kind in ("reading", "fact") else ""
    fix = "; ".join(part for part in (meant, listed) if part)
    return refused(f"unknown-{kind}", f"no {kind} is called {shown(name)}", at=at, fix=fix)


def _readings_of(name: str, info: NameInfo, node: Node, at: Position, *, unit: Word | None = None) -> Iterator[Reading]:
    """The readings of one entry; `unit` is what its values without one are in."""
    if isinstance(node, Items):
        if not node.held:
            raise refused("bad-reading", f"{name} has an empty list", at=node.at, expected="one value per replica")
        for index, item in enumerate(node.held):
            if isinstance(item, Items):
                raise refused("bad-reading", f"{name} has a list in a list", at=item.at, expected="a value")
            reading = _reading(name, info, item, item.at, unit=unit)
            yield reading if reading.replica else replace(reading, replica=str(index))
    else:
        yield _reading(name, info, node, at, unit=unit)


def _reading(name: str, info: NameInfo, node: Word | Keys, at: Position, *, unit: Word | None = None) -> Reading:
    if isinstance(node, Word):
        return _measured(Reading(name, None, str(at)), info, node, unit=unit)
    for key, inner in node.held.items():
        if key not in _ENTRY_KEYS:
            raise _unknown("key", key, node.key_at[key], tuple(sorted(_ENTRY_KEYS)))
        if not isinstance(inner, Word):
            raise refused("bad-reading", f"{key} of {name} is not a plain value", at=inner.at, expected="one value")
    words = {key: inner for key, inner in node.held.items() if isinstance(inner, Word)}
    if "value" not in words:
        raise refused("bad-reading", f"{name} has no value", at=node.at, expected="value: …")
    empty = Reading(name, None, str(at))
    if "replica" in words:
        empty = replace(empty, replica=words["replica"].text)
    if "at_s" in words:
        empty = replace(empty, at_s=_time(words["at_s"]))
    if "estimated" in words and _truth(words["estimated"], "estimated"):
        empty = replace(empty, quality="estimated")
    return _measured(empty, info, words["value"], unit=words.get("unit", unit))


def _truth(word: Word, name: str) -> bool:
    if word.text not in _TRUTHS:
        raise refused("bad-value", f"{name} cannot be {shown(word.text)}", at=word.at, expected="true or false")
    return _TRUTHS[word.text]


def _time(word: Word) -> float:
    try:
        value = float(amount_of(word.text, ONE).value)
    except ValueError as error:
        raise refused("bad-value", f"at_s: {error}", at=word.at, expected="Unix time in seconds") from error
    if not math.isfinite(value):
        raise refused("bad-value", "at_s is not finite", at=word.at, expected="Unix time in seconds")
    return value


def _measured(empty: Reading, info: NameInfo, word: Word, *, unit: Word | None = None) -> Reading:
    """`empty` with the value of `word`, or with the reason why there is none."""
    if not word.is_quoted and word.text in _NULLS:
        return replace(empty, state="missing", why="the file says null", raw=word.text)
    bare = word.text.removeprefix(".")
    if info.type not in ("text", "version") and is_missing(bare):
        return replace(empty, state="missing", why=f"the file says {word.text!r}", raw=word.text)
    if info.is_numeric and _INFINITE.fullmatch(word.text.strip()):
        return replace(empty, state="invalid", why="infinite", raw=word.text)
    value, converted = _value(info, word, unit)
    if isinstance(value, float) and not math.isfinite(value):
        return replace(empty, state="invalid", why="too large for a number", raw=word.text)
    return replace(empty, value=value, origin=f"{empty.origin}, {converted}" if converted else empty.origin)


def _value(info: NameInfo, word: Word, unit: Word | None = None) -> tuple[Scalar, str]:
    """The value by the type of its name, and what was converted."""
    if unit is not None and not info.is_numeric:
        raise refused("bad-value", f"{info.name} has no unit", at=unit.at, fix="remove the unit")
    if info.type == "bool":
        if word.text not in _TRUTHS:
            raise _bad(info, word, "true or false")
        return _TRUTHS[word.text], ""
    if not info.is_numeric:
        if info.options and word.text not in info.options:
            raise _bad(info, word, f"one of {', '.join(info.options)}")
        return word.text, ""
    try:
        amount = amount_of(word.text, info.unit, written_in=unit.text if unit else "")
    except ValueError as error:
        expected = "a number" if info.unit == ONE else f"a number of {info.unit}"
        raise refused("bad-value", f"{info.name}: {error}", at=word.at, expected=expected) from error
    return amount.value, amount.converted


def _bad(info: NameInfo, word: Word, expected: str) -> IntakeError:
    return refused(
        "bad-value", f"{info.name} cannot be {shown(word.text)}", at=word.at, expected=expected, fix=info.means.en
    )


def _fact(name: str, info: NameInfo, node: Node) -> Fact:
    if not isinstance(node, Word):
        raise refused("bad-value", f"{name} is not a plain value", at=node.at, expected="one value")
    if not node.is_quoted and node.text in _NULLS:
        raise refused("bad-value", f"{name} is null", at=node.at, expected="a value", fix="leave the line out")
    value, converted = _value(info, node)
    if info.is_numeric and not isinstance(value, str):
        value = _in_range(info, node, value)
    return Fact(name, value, Origin("file", f"{name}{f', {converted}' if converted else ''}", node.at))


def _in_range(info: NameInfo, word: Word, value: int | float) -> int | float:
    if not math.isfinite(value) or (info.type == "int" and value != int(value)):
        raise _bad(info, word, "a whole number" if info.type == "int" else "a finite number")
    if info.minimum is not None and value < info.minimum:
        raise _bad(info, word, f"at least {info.minimum:g}")
    if info.maximum is not None and value > info.maximum:
        raise _bad(info, word, f"at most {info.maximum:g}")
    return int(value) if info.type == "int" else value
