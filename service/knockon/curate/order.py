"""The keys of every mapping that a shape knows, in the order of the shape; comments go with the key they stand above.

Texts are cut and put together again, nothing is written anew: the writer of `fmt` knows comments by the line before
them, and would leave them there when a key goes elsewhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import yaml
from yaml.nodes import MappingNode, Node, SequenceNode

from knockon.curate.layout import Room
from knockon.curate.shapes.base import Shape

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ITEM = re.compile(r" *- +")


@dataclass(frozen=True, slots=True)
class _Each:
    """A list of, or a mapping by id to, things of one form."""

    form: "_Form"


_Form = type[Shape] | _Each | None


def in_order(text: str, room: Room) -> str:
    """The text of a file of `room`, as `fmt` writes it, with its keys in order; the same text where they are already.

    A comment above a key, at its column, goes with the key; one that opens the file stays there.
    """
    root = yaml.compose(text, Loader=_Loader)
    form: _Form = room.shape if room.plan == "one" else _Each(room.shape)
    return _Cutter(text).of(root, form, 0, len(text)) if root is not None else text


def _form_of(annotation: Any) -> _Form:
    """What stands at a field with this annotation, as far as shapes know it."""
    if isinstance(annotation, type) and issubclass(annotation, Shape):
        return annotation
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _form_of(inner[0])
    if origin in (list, dict):
        form = _form_of(inner[-1])
        return _Each(form) if form is not None else None
    if origin in (Union, UnionType):
        return next((form for each in inner if (form := _form_of(each)) is not None), None)
    return None


@cache
def _fields(shape: type[Shape]) -> dict[str, _Form]:
    return {field.alias or name: _form_of(field.annotation) for name, field in shape.model_fields.items()}


class _Cutter:
    """Takes a text apart by its nodes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, node: Node, form: _Form, start: int, end: int) -> str:
        """The text from `start` to `end`, which holds `node`, with the keys inside in order."""
        if form is not None and isinstance(node, MappingNode) and node.value:
            fields = _fields(form) if not isinstance(form, _Each) else {}
            rank = {key: number for number, key in enumerate(fields)}
            forms = [form.form if isinstance(form, _Each) else fields.get(key.value) for key, _ in node.value]
            places = range(len(node.value))
            order = sorted(places, key=lambda place: rank.get(node.value[place][0].value, len(rank)))
            cut = self._flow_mapping if node.flow_style else self._block_mapping
            return cut(node, forms, order, start, end)
        if isinstance(form, _Each) and isinstance(node, SequenceNode) and node.value:
            return self._sequence(node, form.form, start, end)
        return self._text[start:end]

    def _flow_mapping(
        self, node: MappingNode, forms: Sequence[_Form], order: Sequence[int], start: int, end: int
    ) -> str:
        text, entries = self._text, node.value
        whole = text[_start(node) : _end(node)]
        if "\n" in whole and "#" in whole:
            # What may be a comment belongs to an end of a line, and entries do not.
            return text[start:end]
        said = [
            text[_start(key) : _start(value)] + self.of(value, form, _start(value), _end(value))
            for (key, value), form in zip(entries, forms, strict=True)
        ]
        between = [text[_end(one[1]) : _start(other[0])] for one, other in pairwise(entries)]
        moved = [said[place] for place in order]
        inner = "".join(piece for pair in zip(moved, [*between, ""], strict=True) for piece in pair)
        return text[start : _start(entries[0][0])] + inner + text[_end(entries[-1][1]) : end]

    def _block_mapping(
        self, node: MappingNode, forms: Sequence[_Form], order: Sequence[int], start: int, end: int
    ) -> str:
        text, entries, column = self._text, node.value, _column(node)
        firsts = [_start(key) for key, _ in entries]
        lines = [self._line(first) for first in firsts]
        is_item = text[lines[0] : firsts[0]].strip() != ""
        # What opens a file is about the file, what stands above a dash about the item.
        cuts = [lines[0] if is_item or start == 0 else self._above(lines[0], start, column)]
        cuts += [self._above(line, self._line_after(before), column) for before, line in pairwise(lines)]
        cuts.append(self._above(end, self._line_after(firsts[-1]), column, shallower=True))
        said = [
            (text[cut:line], text[_start(key) : _end(key)] + self._value(key, value, form, until))
            for (cut, until), line, (key, value), form in zip(pairwise(cuts), lines, entries, forms, strict=True)
        ]
        (above, body), *rest = [said[place] for place in order]
        begin = text[lines[0] : firsts[0]]
        if is_item:
            # Nothing can stand between a dash and its first key: a comment of that key goes above the dash.
            above = re.sub(r"(?m)^ *#", f"{' ' * begin.index('-')}#", above)
        others = "".join(f"{above}{' ' * column}{body}" for above, body in rest)
        return text[start : cuts[0]] + above + begin + body + others + text[cuts[-1] : end]

    def _value(self, key: Node, value: Node, form: _Form, until: int) -> str:
        """What follows a key up to `until`."""
        begin = _start(value)
        if value.start_mark.line != key.start_mark.line:
            begin = self._line_after(_end(key))
        if begin >= until:
            return self._text[_end(key) : until]
        return self._text[_end(key) : begin] + self.of(value, form, begin, until)

    def _sequence(self, node: SequenceNode, form: _Form, start: int, end: int) -> str:
        text, items = self._text, node.value
        if node.flow_style:
            cuts = [start, *(_start(item) for item in items[1:]), end]
        else:
            lines = [self._line(_start(item)) for item in items]
            if not all(_ITEM.fullmatch(text[line : _start(item)]) for line, item in zip(lines, items, strict=True)):
                return text[start:end]
            column = _column(node)
            cuts = [start, *(self._above(line, self._line_after(one), column) for one, line in pairwise(lines)), end]
        return "".join(
            self.of(item, form, begin, until) for item, (begin, until) in zip(items, pairwise(cuts), strict=True)
        )

    def _line(self, place: int) -> int:
        """Where the line of `place` starts."""
        return self._text.rfind("\n", 0, place) + 1

    def _line_after(self, place: int) -> int:
        """Where the line after that of `place` starts."""
        found = self._text.find("\n", place)
        return len(self._text) if found < 0 else found + 1

    def _above(self, line: int, limit: int, column: int, *, shallower: bool = False) -> int:
        """Where the comments at `column` and the blank lines that stand directly above `line` start.

        Args:
            line: the start of a line.
            limit: how far up they can reach.
            column: of the comments wanted.
            shallower: take comments left of it, too.
        """
        while line > limit:
            above = self._text.rfind("\n", 0, line - 1) + 1
            written = self._text[above:line].strip()
            at = len(self._text[above:line]) - len(self._text[above:line].lstrip())
            if written and not (written.startswith("#") and (at == column or (shallower and at < column))):
                break
            line = above
        return max(line, limit)


def _start(node: Node) -> int:
    return int(node.start_mark.index)


def _end(node: Node) -> int:
    return int(node.end_mark.index)


def _column(node: Node) -> int:
    return int(node.start_mark.column)
