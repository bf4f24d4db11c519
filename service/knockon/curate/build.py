"""Builds plain data from the YAML parser's events: no recursion, nothing refused passes, all problems collected."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, cast

import yaml
from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from yaml.reader import ReaderError

from knockon.curate.scalars import scalar_of
from knockon.terms.errors import CurationError, LimitExceeded, Problem
from knockon.terms.limits import YAML_DEPTH_MAX
from knockon.terms.place import Position
from knockon.terms.words import Json

Steps = tuple[str | int, ...]
"""The way from the top of a document to a value: keys and list indexes."""

# libyaml reads about ten times faster than the Python parser, which is the same in all that is accepted here.
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# Escapes can smuggle in what YAML forbids in the open: terminals obey control characters, databases choke on NUL.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where one value stands. Lines and columns count from 1; `start` and `end` are indexes into the text."""

    key_line: int
    key_column: int
    """Of its key; of itself for an item of a list."""
    line: int
    column: int
    start: int
    end: int
    style: str
    """The opening `'`, `"`, `|` or `>`; empty for a plain scalar and for a collection."""
    lines: int
    """On how many lines the scalar stands; 0 for a collection."""


def data_of(text: str, path: str) -> Json:
    """The data of the one document in `text`.

    Raises:
        CurationError: with every problem found; after a syntax error nothing more can be found.
        LimitExceeded: nested deeper than terms/limits.py allows.
    """
    return _Builder(text, path, None).build()


def places_of(text: str, path: str) -> dict[Steps, Place]:
    """The place of every value of a text that `data_of` accepts."""
    places: dict[Steps, Place] = {}
    _Builder(text, path, places).build()
    # The builder hangs the document into a list of its own; that first step is not in the file.
    return {steps[1:]: place for steps, place in places.items()}


@dataclass(slots=True)
class _Open:
    """A collection that is being filled; `key` is the key whose value comes next."""

    held: dict[str, Json] | list[Json]
    steps: Steps
    key: str | None = None
    key_event: Event | None = None


class _Builder:
    """One pass over one text."""

    def __init__(self, text: str, path: str, places: dict[Steps, Place] | None) -> None:
        self._text = text
        self._path = path
        self._places = places
        self._problems: list[Problem] = []
        self._top: list[Json] = []
        self._stack = [_Open(self._top, ())]

    def build(self) -> Json:
        try:
            self._run()
        except yaml.YAMLError as error:
            raise CurationError([*self._problems, _syntax_problem(error, self._text, self._path)]) from error
        if self._problems:
            raise CurationError(self._problems)
        return self._top[0]

    def _run(self) -> None:
        documents = 0
        for event in self._events():
            if isinstance(event, ScalarEvent):
                self._scalar(event)
            elif isinstance(event, MappingStartEvent):
                self._open({}, event)
            elif isinstance(event, SequenceStartEvent):
                self._open([], event)
            elif isinstance(event, CollectionEndEvent):
                self._stack.pop()
            elif isinstance(event, AliasEvent):
                self._stop("alias", "an alias stands here", "the value itself", "write it out", event)
            elif isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._stop("several-documents", "a second document starts here", "one document", "split it", event)
        if not documents:
            self._problems.append(Problem("empty-file", "the file is empty", at=Position(self._path, 1, 1)))

    def _events(self) -> Iterator[Event]:
        loader = _Loader(self._text)
        try:
            while not isinstance(event := loader.get_event(), StreamEndEvent):  # type: ignore[no-untyped-call]
                yield event
        finally:
            loader.dispose()

    def _open(self, held: dict[str, Json] | list[Json], event: CollectionStartEvent) -> None:
        # The builder's own list is one level that is not in the file.
        if len(self._stack) > YAML_DEPTH_MAX:
            raise LimitExceeded("the nesting of a YAML file", limit=YAML_DEPTH_MAX, at=self._position(event))
        if event.anchor is not None or event.tag is not None:
            self._refuse_properties(event)
        parent = self._stack[-1]
        if parent.key is None and isinstance(parent.held, dict):
            self._stop("complex-key", "a list or mapping is used as a key", "a word", "name the key by a word", event)
        self._stack.append(_Open(held, self._put(held, event, parent)))

    def _scalar(self, event: ScalarEvent) -> None:
        if event.anchor is not None or event.tag is not None:
            self._refuse_properties(event)
        parent = self._stack[-1]
        if parent.key is None and isinstance(parent.held, dict):
            self._key(event, parent, parent.held)
        else:
            self._put(self._value(event), event, parent)

    def _key(self, event: ScalarEvent, parent: _Open, held: dict[str, Json]) -> None:
        key: str = event.value
        if key == "<<" and not event.style:
            self._complain("merge-key", "a merge key stands here", "the keys themselves", "write them out", event)
        elif key in held:
            self._complain("duplicate-key", f"key {key!r} is given twice", "each key once", "remove one", event)
        parent.key = key
        parent.key_event = event

    def _value(self, event: ScalarEvent) -> Json:
        text: str = event.value
        if event.style:
            if event.style == '"' and _CONTROL.search(text):
                what, fix = "the text holds a control character", "remove the escape"
                self._complain("control-character", what, "characters that can be printed", fix, event)
            return text
        try:
            return scalar_of(text)
        except ValueError as error:
            shown = text if len(text) <= 20 else text[:20] + "…"
            self._complain("bad-number", f"{shown} {error}", "a finite number", "put it in quotes if it is text", event)
            return text

    def _put(self, value: Json, event: Event, parent: _Open) -> Steps:
        """Hang `value` into its parent; its steps are made only where places are wanted."""
        step: str | int
        if isinstance(parent.held, dict):
            step = parent.key or ""
            parent.held[step] = value
            parent.key = None
        else:
            step = len(parent.held)
            parent.held.append(value)
        if self._places is None:
            return ()
        steps = (*parent.steps, step)
        self._places[steps] = _place(event, parent.key_event or event)
        return steps

    def _refuse_properties(self, event: ScalarEvent | CollectionStartEvent) -> None:
        if event.anchor is not None:
            self._complain("anchor", f"anchor &{event.anchor} stands here", "the value alone", "remove it", event)
        if event.tag is not None:
            self._complain("tag", f"tag {event.tag} stands here", "the value alone", "remove it", event)

    def _complain(self, code: str, what: str, expected: str, fix: str, event: Event) -> None:
        self._problems.append(Problem(code, what, expected, fix, self._position(event)))

    def _stop(self, code: str, what: str, expected: str, fix: str, event: Event) -> None:
        self._complain(code, what, expected, fix, event)
        raise CurationError(self._problems)

    def _position(self, event: Event) -> Position:
        mark = _start(event)
        return Position(self._path, mark.line + 1, mark.column + 1)


class _Mark(Protocol):
    """Where the parser stands; lines and columns count from 0."""

    line: int
    column: int
    index: int


def _start(event: Event) -> _Mark:
    # Only events that a program makes by hand have no place.
    return cast("_Mark", event.start_mark)


def _place(event: Event, key_event: Event) -> Place:
    start, end, key = _start(event), cast("_Mark", event.end_mark), _start(key_event)
    return Place(
        key_line=key.line + 1,
        key_column=key.column + 1,
        line=start.line + 1,
        column=start.column + 1,
        start=start.index,
        end=end.index,
        style=(event.style or "") if isinstance(event, ScalarEvent) else "",
        lines=end.line - start.line + 1 if isinstance(event, ScalarEvent) else 0,
    )


def _syntax_problem(error: yaml.YAMLError, text: str, path: str) -> Problem:
    """What the parser says, in a line; tabs and control characters said plainly."""
    if isinstance(error, ReaderError):
        place = next((i for i, sign in enumerate(text) if _is_refused(sign)), 0)
        before = text[:place]
        at = Position(path, before.count("\n") + 1, place - before.rfind("\n"))
        what = f"character U+{ord(text[place]):04X} stands here"
        return Problem("control-character", what, "characters that can be printed", "remove it", at)
    if not isinstance(error, MarkedYAMLError) or error.problem_mark is None:
        return Problem("yaml-syntax", "this is not YAML", at=Position(path, 1, 1))
    mark = error.problem_mark
    at = Position(path, mark.line + 1, mark.column + 1)
    if text[mark.index : mark.index + 1] == "\t" or "tab character" in (error.problem or ""):
        return Problem("tab", "a tab stands here", "spaces", "indent with spaces", at)
    what = "; ".join(str(part) for part in (error.context, error.problem) if part)
    return Problem("yaml-syntax", f"this is not YAML: {what}", at=at)


def _is_refused(sign: str) -> bool:
    """Whether YAML does not allow the character in a file (https://yaml.org/spec/1.2.2/#51-character-set)."""
    code = ord(sign)
    allowed = code in (0x09, 0x0A, 0x0D, 0x85) or 0x20 <= code <= 0x7E
    return not (allowed or 0xA0 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000)
