"""One YAML or JSON text as a tree of words with their places: no recursion, no anchors, tags or second documents.

Words stay texts: what `0.93`, `no` or `120 ms` means depends on the reading it stands for.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn, Protocol, cast

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
    StreamEndEvent,
)

from knockon.sources.amount import shown
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import INTAKE_DEPTH_MAX
from knockon.terms.place import Position

# libyaml reads about ten times faster than the Python parser, which is the same in all that is accepted here.
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Word:
    """A scalar as it is written; `is_quoted` tells the text "null" from null."""

    text: str
    at: Position
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    at: Position
    held: "list[Node]" = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Keys:
    """A mapping; every key comes with its own place."""

    at: Position
    held: "dict[str, Node]" = field(default_factory=dict)
    key_at: dict[str, Position] = field(default_factory=dict)


Node = Word | Items | Keys


def read_document(text: str, filename: str) -> Node:
    """The tree of the one document in `text`.

    Raises:
        IntakeError: not YAML, or one of its features that are refused here; with the place.
        LimitExceeded: nested deeper than INTAKE_DEPTH_MAX.
    """
    builder = _Builder(filename)
    try:
        for event in _events(text):
            builder.take(event)
    except (yaml.YAMLError, UnicodeError) as error:
        raise _syntax(error, filename) from error
    if builder.top is None:
        raise refused("empty-file", "the file is empty", at=Position(filename, 1, 1), expected="readings")
    return builder.top


def refused(code: str, what: str, *, at: Position, expected: str = "", fix: str = "") -> IntakeError:
    """A complaint with its place."""
    return IntakeError(Problem(code, what, expected=expected, fix=fix, at=at))


def _events(text: str) -> Iterator[Event]:
    loader = _Loader(text)
    try:
        while not isinstance(event := loader.get_event(), StreamEndEvent):  # type: ignore[no-untyped-call]
            yield event
    finally:
        loader.dispose()


class _Builder:
    """Hangs one event after the other into the tree."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._stack: list[Items | Keys] = []
        self._keys: list[tuple[str, Position] | None] = []
        self._documents = 0
        self.top: Node | None = None

    def take(self, event: Event) -> None:
        if isinstance(event, ScalarEvent):
            self._refuse_properties(event)
            self._word(Word(event.value, self._position(event), is_quoted=bool(event.style)))
        elif isinstance(event, CollectionStartEvent):
            self._refuse_properties(event)
            self._open(event)
        elif isinstance(event, CollectionEndEvent):
            self._stack.pop()
            self._keys.pop()
        elif isinstance(event, AliasEvent):
            self._refuse(event, "alias", "an alias stands here", "the value itself")
        elif isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._refuse(event, "several-documents", "a second document starts here", "one document")

    def _open(self, event: CollectionStartEvent) -> None:
        at = self._position(event)
        if len(self._stack) >= INTAKE_DEPTH_MAX:
            raise LimitExceeded("the nesting of the file", limit=INTAKE_DEPTH_MAX, at=at)
        if self._expects_key():
            self._refuse(event, "complex-key", "a list or mapping is used as a key", "a word")
        node: Items | Keys = Keys(at) if isinstance(event, MappingStartEvent) else Items(at)
        self._put(node)
        self._stack.append(node)
        self._keys.append(None)

    def _word(self, word: Word) -> None:
        if not self._expects_key():
            self._put(word)
            return
        mapping = cast("Keys", self._stack[-1])
        if word.text in mapping.held:
            raise refused("duplicate-key", f"key {shown(word.text)} is given twice", at=word.at, fix="remove one")
        self._keys[-1] = (word.text, word.at)

    def _expects_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1], Keys) and self._keys[-1] is None

    def _put(self, node: Node) -> None:
        if not self._stack:
            self.top = node
            return
        parent = self._stack[-1]
        if isinstance(parent, Items):
            parent.held.append(node)
            return
        key, at = cast("tuple[str, Position]", self._keys[-1])
        parent.held[key] = node
        parent.key_at[key] = at
        self._keys[-1] = None

    def _refuse_properties(self, event: ScalarEvent | CollectionStartEvent) -> None:
        if event.anchor is not None:
            self._refuse(event, "anchor", "an anchor stands here", "the value alone")
        if event.tag is not None:
            self._refuse(event, "tag", "a tag stands here", "the value alone")

    def _refuse(self, event: Event, code: str, what: str, expected: str) -> NoReturn:
        raise refused(code, what, at=self._position(event), expected=expected, fix="write it out")

    def _position(self, event: Event) -> Position:
        # Only events that a program makes by hand have no place.
        mark = cast("_Mark", event.start_mark)
        return Position(self._filename, mark.line + 1, mark.column + 1)


class _Mark(Protocol):
    """Where the parser stands, counted from 0."""

    line: int
    column: int


def _syntax(error: Exception, filename: str) -> IntakeError:
    at = Position(filename, 1, 1)
    what = "this is neither YAML nor JSON"
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        at = Position(filename, error.problem_mark.line + 1, error.problem_mark.column + 1)
        what = f"{what}: {'; '.join(str(part) for part in (error.context, error.problem) if part)}"
    return refused("yaml-syntax", what, at=at, fix="check the indentation and the quotes here")
