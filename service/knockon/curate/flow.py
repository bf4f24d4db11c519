"""Collections in brackets that take several lines: joined where a line holds them, else laid out item by item.

The writer would put each of them on one line, however long: a list of eighty layers, a sentence beside its translation.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import yaml
from yaml.events import CollectionEndEvent, MappingStartEvent, ScalarEvent, SequenceStartEvent

WIDTH = 120
"""Of a line, as in the code."""
# Stands for a list that is wrapped, until the rest is written; not a word of any tree.
_MARK = "knockon-wrapped-list-"

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class _Wide:
    """A collection that is too wide for one line; `items` as they are written, where all of a list are scalars."""

    items: tuple[str, ...] | None


def laid_out(loaded: Any, text: str) -> Mapping[str, tuple[str, ...]]:
    """Turn what is too wide into blocks, and what is a wide list of scalars into marks; gives the items of each mark.

    Args:
        loaded: the document as the writer holds it; changed in place.
        text: what it was read from.
    """
    wide = dict(_wide_in(text))
    marks: dict[str, tuple[str, ...]] = {}
    if wide:
        _turn(loaded, wide, marks)
    return marks


def with_lists(written: str, marks: Mapping[str, tuple[str, ...]]) -> str:
    """The written text with a list wrapped at every mark."""
    lines = []
    for line in written.split("\n"):
        before, mark, number = line.partition(_MARK)
        if not mark:
            lines.append(line)
            continue
        indent = " " * (len(line) - len(line.lstrip()))
        # Items hold no blanks that matter, or they would be in quotes; a quoted one is not broken inside.
        kept = [item.replace(" ", "\0") for item in marks[mark + number]]
        inner = wrap(", ".join(kept), WIDTH - len(indent) - 2, break_long_words=False, break_on_hyphens=False)
        lines += [f"{before}[", *(f"{indent}  {piece.replace(chr(0), ' ')}" for piece in inner), f"{indent}]"]
    return "\n".join(lines)


def comments_in(text: str) -> list[tuple[int, str]]:
    """Line and words of every comment, in order."""
    kept = list(text)
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, ScalarEvent) and event.style not in ("|", ">"):
            # A number sign in a scalar begins no comment; that of a block may follow its sign.
            for place in range(event.start_mark.index, event.end_mark.index):  # type: ignore[union-attr]
                if kept[place] == "#":
                    kept[place] = "."
    found = []
    for number, line in enumerate("".join(kept).split("\n"), start=1):
        if match := re.search(r"(?:^|\s)(#.*)$", line):
            found.append((number, match[1].rstrip()))
    return found


def _wide_in(text: str) -> Iterator[tuple[tuple[int, int], _Wide]]:
    """Line and column of every collection in brackets that takes several lines and would not fit on one."""
    open_flows: list[tuple[Any, list[str] | None]] = []
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, ScalarEvent):
            if open_flows and (items := open_flows[-1][1]) is not None:
                items.append(text[event.start_mark.index : event.end_mark.index])  # type: ignore[union-attr]
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            if open_flows:
                # A list that holds collections is no list of scalars.
                open_flows[-1] = (open_flows[-1][0], None)
            open_flows.append((event, [] if isinstance(event, SequenceStartEvent) else None))
        elif isinstance(event, CollectionEndEvent):
            start, items = open_flows.pop()
            if start.flow_style:
                written = text[start.start_mark.index : event.end_mark.index]  # type: ignore[union-attr]
                joined = " ".join(written.split())
                if "\n" in written and "#" not in written and start.start_mark.column + len(joined) > WIDTH:
                    at = (start.start_mark.line, start.start_mark.column)
                    yield at, _Wide(tuple(items) if items else None)


def _turn(value: Any, wide: Mapping[tuple[int, int], _Wide], marks: dict[str, tuple[str, ...]]) -> None:
    entries = list(value.items()) if hasattr(value, "items") else list(enumerate(value))
    for key, item in entries:
        if not hasattr(item, "fa"):
            continue
        found = wide.get((item.lc.line, item.lc.col)) if item.fa.flow_style() else None
        if found is not None and found.items is not None:
            mark = f"{_MARK}{len(marks)}"
            marks[mark] = found.items
            value[key] = mark
            continue
        if found is not None:
            item.fa.set_block_style()
        _turn(item, wide, marks)
