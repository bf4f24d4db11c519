"""YAML with the place of every value: several documents, anchors and merge keys, no recursion, nothing constructed.

Scalars stay texts: what `0.9` or `no` means is for whoever takes the value. The values of one anchor are one object, so
that a text of a few lines cannot grow; whoever walks a document counts its steps (`Walk`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
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
    StreamEndEvent,
)

from knockon.manifests.base import File
from knockon.manifests.scalars import written_of
from knockon.manifests.template import Masked, masked
from knockon.manifests.written import Written
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import INTAKE_DEPTH_MAX, MANIFEST_NODES_MAX
from knockon.terms.place import Position

# libyaml reads about ten times faster than the Python parser, which is the same in all that is accepted here.
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Sheet:
    """The text a document was read from, and the file in which it stands."""

    source: Written
    """The YAML text itself, template code masked."""
    file: File
    template: Masked


@dataclass(slots=True)
class Scalar:
    """A text; `style` is its quote or block sign, empty for a plain one."""

    sheet: Sheet
    start: int
    end: int
    text: str
    style: str = ""
    _written: Written | None = None

    @property
    def written(self) -> Written:
        """The text with the place of every character."""
        if self._written is None:
            self._written = written_of(self.sheet.source, self.start, self.end, self.text, self.style)
        return self._written

    @property
    def at(self) -> Position:
        """Where it starts."""
        return self.sheet.source.at(self.start)

    @property
    def is_null(self) -> bool:
        """Whether nothing stands here."""
        return not self.style and self.text in ("", "~", "null", "Null", "NULL")


@dataclass(slots=True)
class Items:
    """A list."""

    sheet: Sheet
    start: int
    end: int = 0
    held: "list[Node]" = field(default_factory=list)

    @property
    def at(self) -> Position:
        """Where it starts."""
        return self.sheet.source.at(self.start)


@dataclass(slots=True)
class Keys:
    """A mapping, merge keys filled in; of a key given twice the last value counts, as it does where it is applied."""

    sheet: Sheet
    start: int
    end: int = 0
    held: "dict[str, Node]" = field(default_factory=dict)
    twice: list[tuple[str, int]] = field(default_factory=list)
    """The keys given more than once and where they stand again."""

    @property
    def at(self) -> Position:
        """Where it starts."""
        return self.sheet.source.at(self.start)


Node = Scalar | Items | Keys


@dataclass
class Walk:
    """Counts the values that are looked at, so that aliases of aliases end."""

    left: int = MANIFEST_NODES_MAX

    def step(self, node: Node) -> None:
        """Count one; raises LimitExceeded with the place."""
        self.left -= 1
        if self.left < 0:
            raise LimitExceeded("the number of values in the file", limit=MANIFEST_NODES_MAX, at=node.at)


def documents_of(source: Written) -> list[Node]:
    """Every document of a YAML text that is not empty.

    Raises:
        IntakeError: not YAML; with the place.
        LimitExceeded: nested deeper than INTAKE_DEPTH_MAX, or too many values.
    """
    template = source.pieces[0].file.template if source.text == source.pieces[0].file.text else masked(source.text)
    sheet = Sheet(Written(template.text, source.pieces), source.pieces[0].file, template)
    builder = _Builder(sheet)
    try:
        for event in _events(template.text):
            builder.take(event)
    except (yaml.YAMLError, UnicodeError) as error:
        raise _syntax(error, sheet) from error
    return [top for top in builder.tops if not (isinstance(top, Scalar) and top.is_null)]


def _events(text: str) -> Iterator[Event]:
    loader = _Loader(text)
    try:
        while not isinstance(event := loader.get_event(), StreamEndEvent):  # type: ignore[no-untyped-call]
            yield event
    finally:
        loader.dispose()


@dataclass(slots=True)
class _Open:
    node: Items | Keys
    key: str | None = None
    key_start: int = 0
    is_merge: bool = False
    merging: "Items | Keys | None" = None
    """A list or mapping under a merge key that is still being read."""


class _Builder:
    """Hangs one event after the other into the tree."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._stack: list[_Open] = []
        self._anchors: dict[str, Node] = {}
        self._count = 0
        self.tops: list[Node] = []

    def take(self, event: Event) -> None:
        if isinstance(event, ScalarEvent):
            self._scalar(event)
        elif isinstance(event, CollectionStartEvent):
            self._open(event)
        elif isinstance(event, CollectionEndEvent):
            self._close(_start(event).index)
        elif isinstance(event, AliasEvent):
            self._alias(event)
        elif isinstance(event, DocumentStartEvent):
            self._anchors = {}

    def _open(self, event: CollectionStartEvent) -> None:
        start = _start(event).index
        if len(self._stack) >= INTAKE_DEPTH_MAX:
            at = self._sheet.source.at(start)
            raise LimitExceeded("the nesting of the file", limit=INTAKE_DEPTH_MAX, at=at)
        node: Items | Keys = (Keys if isinstance(event, MappingStartEvent) else Items)(self._sheet, start)
        if self._expects_key():
            # A list or mapping as a key holds nothing that is looked for here.
            self._stack[-1].key, self._stack[-1].key_start = "", start
        else:
            self._put(node, event.anchor)
        self._stack.append(_Open(node))

    def _close(self, end: int) -> None:
        """The innermost list or mapping is complete."""
        closed = self._stack.pop().node
        closed.end = end
        parent = self._stack[-1] if self._stack else None
        if parent is not None and parent.merging is closed and isinstance(parent.node, Keys):
            self._merge(parent.node, closed)
            parent.merging = None

    def _scalar(self, event: ScalarEvent) -> None:
        start, end = _start(event).index, cast("_Mark", event.end_mark).index
        style = event.style or ""
        if self._expects_key():
            parent = self._stack[-1]
            parent.key, parent.key_start = event.value, start
            parent.is_merge = event.value == "<<" and not style
            return
        self._put(Scalar(self._sheet, start, end, event.value, style), event.anchor)

    def _alias(self, event: AliasEvent) -> None:
        start = _start(event).index
        node = self._anchors.get(event.anchor or "")
        at = self._sheet.source.at(start)
        if node is None:
            fix = "define it before it is used"
            raise IntakeError(Problem("unknown-alias", f"nothing is anchored as &{event.anchor}", fix=fix, at=at))
        if any(held.node is node for held in self._stack):
            raise IntakeError(Problem("endless-alias", f"*{event.anchor} stands inside itself", at=at))
        if self._expects_key():
            self._stack[-1].key, self._stack[-1].key_start = node.text if isinstance(node, Scalar) else "", start
        else:
            self._put(node, None, is_complete=True)

    def _expects_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1].node, Keys) and self._stack[-1].key is None

    def _put(self, node: Node, anchor: str | None, *, is_complete: bool = False) -> None:
        self._count += 1
        if self._count > MANIFEST_NODES_MAX:
            raise LimitExceeded("the number of values in the file", limit=MANIFEST_NODES_MAX, at=node.at)
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._stack:
            self.tops.append(node)
            return
        parent = self._stack[-1]
        if isinstance(parent.node, Items):
            parent.node.held.append(node)
            return
        key = parent.key or ""
        if parent.is_merge and is_complete:
            self._merge(parent.node, node)
        elif parent.is_merge and not isinstance(node, Scalar):
            parent.merging = node
        elif not parent.is_merge:
            if key in parent.node.held and key not in _merged_keys(parent.node):
                parent.node.twice.append((key, parent.key_start))
            parent.node.held[key] = node
        parent.key, parent.is_merge = None, False

    def _merge(self, target: Keys, node: Node) -> None:
        """Fill in what the mapping does not set itself; the first of several mappings wins."""
        for source in node.held if isinstance(node, Items) else [node]:
            if not isinstance(source, Keys):
                continue
            self._count += len(source.held)
            if self._count > MANIFEST_NODES_MAX:
                raise LimitExceeded("the number of values in the file", limit=MANIFEST_NODES_MAX, at=node.at)
            for key, value in source.held.items():
                target.held.setdefault(key, value)


def _merged_keys(keys: Keys) -> set[str]:
    """The keys that came by a merge: their values stand outside the mapping."""
    return {key for key, value in keys.held.items() if value.start < keys.start}


class _Mark(Protocol):
    """Where the parser stands, counted from 0."""

    line: int
    column: int
    index: int


def _start(event: Event) -> _Mark:
    # Only events that a program makes by hand have no place.
    return cast("_Mark", event.start_mark)


def _syntax(error: Exception, sheet: Sheet) -> IntakeError:
    at = sheet.source.at(0)
    what = "this is not YAML"
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        at = sheet.source.at(min(error.problem_mark.index, len(sheet.source.text)))
        what = f"{what}: {'; '.join(str(part) for part in (error.context, error.problem) if part)}"
    else:
        refused = next((i for i, sign in enumerate(sheet.source.text) if _is_refused(sign)), None)
        if refused is not None:
            at = sheet.source.at(refused)
            what = f"character U+{ord(sheet.source.text[refused]):04X} stands here"
    return IntakeError(Problem("yaml-syntax", what, fix="check the indentation and the quotes here", at=at))


def _is_refused(sign: str) -> bool:
    """Whether YAML does not allow the character in a file (https://yaml.org/spec/1.2.2/#51-character-set)."""
    code = ord(sign)
    allowed = code in (0x09, 0x0A, 0x0D, 0x85) or 0x20 <= code <= 0x7E
    return not (allowed or 0xA0 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000)
