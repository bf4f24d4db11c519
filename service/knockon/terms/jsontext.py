"""A JSON text as data whose keys can be pointed at; what programs disagree on is refused with its place.

Refused: a key that is given twice, numbers that are none (NaN), integers longer than any that means something.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import INTAKE_DEPTH_MAX, INTEGER_DIGITS_MAX
from knockon.terms.place import Position
from knockon.terms.words import Json

_TOKEN = re.compile(
    r'(?P<blank>[ \t\r\n]+)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>[{}\[\],:])|(?P<word>[^ \t\r\n"{}\[\],:]+)'
)


@dataclass(frozen=True)
class JsonText:
    """One file's JSON: how it is called, its text, and the data in it."""

    path: str
    text: str
    data: Json

    @cached_property
    def places(self) -> Mapping[str, Position]:
        """Where each key stands, by its dotted path. Reads the text again: ask only when there is something to show."""
        return dict(_keys(self.text, self.path))


def read_json(text: str, *, path: str) -> JsonText:
    """Read one JSON text; `path` is what complaints call it.

    Raises:
        IntakeError: not JSON, or something of it that is refused here; with its place.
        LimitExceeded: nested deeper than INTAKE_DEPTH_MAX.
    """
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        at = Position(path, error.lineno, error.colno)
        raise IntakeError(Problem("json-syntax", f"not JSON: {error.msg}", "a JSON object", at=at)) from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except _OddError as error:
        # The place is that of the first thing that is refused; finding it takes a second reading.
        for _ in _keys(text, path):
            pass
        raise IntakeError(Problem("json-syntax", str(error), at=Position(path, 1, 1))) from error
    if _depth(value) > INTAKE_DEPTH_MAX:
        raise _too_deep(path)
    return JsonText(path, text, value)


class _OddError(Exception):
    """Something that is refused was met; where, is told by the second reading."""


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _OddError("a key is given twice")
    return found


def _integer(text: str) -> int:
    if len(text) > INTEGER_DIGITS_MAX:
        raise _OddError("an integer is too long")
    return int(text)


def _constant(text: str) -> NoReturn:
    raise _OddError(f"{text} is no number of JSON")


def _keys(text: str, path: str) -> Iterator[tuple[str, Position]]:
    """(dotted path, place) of every key of a JSON text.

    Raises:
        IntakeError: at the first thing that is refused.
    """
    line, line_start = 1, 0
    stack: list[_Level] = []
    for match in _TOKEN.finditer(text):
        kind, word = match.lastgroup, match[0]
        if kind == "blank":
            breaks = word.count("\n")
            if breaks:
                line, line_start = line + breaks, match.start() + word.rfind("\n") + 1
            continue
        at = Position(path, line, match.start() - line_start + 1)
        if word in ("{", "["):
            stack.append(_Level(word == "{", stack[-1].inner if stack else ""))
        elif word in ("}", "]"):
            stack.pop()
        elif word == "," and stack:
            stack[-1].next()
        elif kind == "string" and stack and stack[-1].expects_key:
            key = json.loads(word, strict=False)
            if not stack[-1].take(key):
                raise _refused("duplicate-key", f"key {word[:80]} is given twice", "remove one", at)
            yield stack[-1].inner, at
        elif kind == "word":
            _refuse_word(word, at)


class _Level:
    """One object or list that is open: the path of the value that comes next in it."""

    def __init__(self, is_object: bool, outer: str) -> None:
        self._prefix = f"{outer}." if outer else ""
        self._is_object = is_object
        self._seen: set[str] = set()
        self._index = 0
        self.expects_key = is_object
        self.inner = f"{self._prefix}0"

    def take(self, key: str) -> bool:
        """Go to the value of `key`; false where it was there before."""
        is_new = key not in self._seen
        self._seen.add(key)
        self.inner, self.expects_key = self._prefix + key, False
        return is_new

    def next(self) -> None:
        """Go behind the comma."""
        self._index += 1
        self.expects_key = self._is_object
        if not self._is_object:
            self.inner = f"{self._prefix}{self._index}"


def _refuse_word(word: str, at: Position) -> None:
    if word in ("NaN", "Infinity", "-Infinity"):
        raise _refused("json-syntax", f"{word} is no number of JSON", "give a number, or leave the key out", at)
    if len(word) > INTEGER_DIGITS_MAX and word.lstrip("-").isdigit():
        what = f"an integer of {len(word)} digits means nothing here"
        raise _refused("json-syntax", what, f"give one of at most {INTEGER_DIGITS_MAX} digits", at)


def _refused(code: str, what: str, fix: str, at: Position) -> IntakeError:
    return IntakeError(Problem(code, what, fix=fix, at=at))


def _too_deep(path: str) -> LimitExceeded:
    return LimitExceeded("the nesting of a JSON file", limit=INTAKE_DEPTH_MAX, at=Position(path, 1, 1))


def _depth(value: Json) -> int:
    """How deep lists and mappings are nested; without recursion, since the input is not ours."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        held, depth = waiting.pop()
        deepest = max(deepest, depth)
        inner = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
        waiting += [(one, depth + 1) for one in inner if isinstance(one, dict | list)]
    return deepest
