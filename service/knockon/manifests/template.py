"""Half-rendered files: what a template engine would replace is masked, character for character.

Go templates (`{{ … }}`) and Jinja (`{{ … }}`, `{% … %}`, `{# … #}`), and what people leave to be filled in: `<TP>`,
`%TP%`, `@TP@`, `@@TP@@`, `__TP__`, `{TP}`. The masked text has the length of the original, so every offset stays. A
line that holds nothing but template code becomes blank.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

# A private-use character: allowed in YAML and meaningless to a shell.
MASK = "\ue000"

# Long actions exist (`{{- if or (eq …) (eq …) }}` over ten lines); more than this is no template.
_ACTION = re.compile(r"\{\{(?:[^{}]|\}(?!\})|\{(?!\{)){0,4000}?\}\}|\{%[^\n]{0,1000}?%\}|\{#[^\n]{0,1000}?#\}")
# A longer line is data, and looking at all of it for every action on it would take for ever.
_LINE_MAX = 1_000
_WORD = re.compile(r"\{[{%]-?\s*(?:/\*)?\s*([a-z]+)?")
_OPENING = frozenset({"if", "range", "with", "define", "block", "for"})
_CLOSING = frozenset({"end", "endif", "endfor"})
_CONTROL = _OPENING | _CLOSING | {"else", "elif", "set"}
_COMMENT = re.compile(r"\{\{-?\s*/\*|\{#")
# Left to be filled in by hand or by another tool's search and replace. A shell's `<IN>OUT` and `<<EOF>` are none of
# them, nor are `${NAME}` and the `%Y` of a date.
_BLANK = re.compile(
    r"(?<![<&$\w])<[A-Za-z][A-Za-z0-9_.-]{0,60}>(?=[\s\"',\])}:/-]|$)"
    r"|(?<![%\w])%[A-Z][A-Z0-9_]{1,60}%(?![%\w])"
    r"|(?<![@\w])(@@?)[A-Z][A-Z0-9_]{1,60}\1(?![@\w])"
    r"|(?<![\w])__[A-Z][A-Z0-9_]{0,60}?__(?!\w)"
    r"|(?<![${])\{[A-Z][A-Z0-9_]{1,60}\}(?!\})",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Region:
    """Characters from `start` to before `end`."""

    start: int
    end: int

    def holds(self, offset: int) -> bool:
        """Whether the character at `offset` is inside."""
        return self.start <= offset < self.end


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its template code."""

    text: str
    conditional: tuple[Region, ...] = ()
    """What stands under an `if`, `range` or `with` of the template."""
    inserted: tuple[Region, ...] = ()
    """Lines that are nothing but a value to insert: what they hold is not known."""
    marks: tuple[tuple[int, Region | None], ...] = ()
    """From each offset on, the innermost conditional region."""

    def condition_at(self, offset: int) -> Region | None:
        """The innermost conditional region around a character; None outside of all."""
        index = bisect_right(self.marks, offset, key=_offset) - 1
        return self.marks[index][1] if index >= 0 else None


def masked(text: str) -> Masked:
    """Mask what a template engine would replace; a text without any is given back as it is."""
    if "{{" not in text and "{%" not in text:
        return Masked(_filled_in(text))
    parts: list[str] = []
    opened: list[int] = []
    conditional: list[Region] = []
    inserted: list[Region] = []
    last = 0
    for action in _ACTION.finditer(text):
        start, end = action.span()
        parts.append(text[last:start])
        last = end
        named = _WORD.match(action[0])
        word = named[1] if named else None
        is_alone = _is_alone(text, start, end)
        if word in _OPENING:
            opened.append(end)
        elif word in _CLOSING and opened:
            conditional.append(Region(opened.pop(), start))
        if is_alone and word not in _CONTROL and not _COMMENT.match(action[0]) and ":=" not in action[0]:
            inserted.append(Region(start, end))
        sign = " " if is_alone else MASK
        parts.append("".join("\n" if each == "\n" else sign for each in action[0]))
    parts.append(text[last:])
    return Masked(
        _filled_in("".join(parts)), tuple(sorted(conditional, key=_start)), tuple(inserted), _marks(conditional)
    )


def _filled_in(text: str) -> str:
    return _BLANK.sub(lambda match: MASK * len(match[0]), text)


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether the lines of an action hold nothing else but further actions."""
    first = text.rfind("\n", 0, start) + 1
    newline = text.find("\n", end)
    last = newline if newline >= 0 else len(text)
    if start - first > _LINE_MAX or last - end > _LINE_MAX:
        return False
    return not (_ACTION.sub("", text[first:start]).strip() or _ACTION.sub("", text[end:last]).strip())


def _marks(regions: list[Region]) -> tuple[tuple[int, Region | None], ...]:
    marks: list[tuple[int, Region | None]] = []
    open_regions: list[Region] = []
    edges = [(region.start, 1, region) for region in regions] + [(region.end, 0, region) for region in regions]
    for offset, opens, region in sorted(edges, key=lambda edge: (edge[0], edge[1], -edge[2].end)):
        if opens:
            open_regions.append(region)
        elif region in open_regions:
            open_regions.remove(region)
        marks.append((offset, open_regions[-1] if open_regions else None))
    return tuple(marks)


def _offset(mark: tuple[int, Region | None]) -> int:
    return mark[0]


def _start(region: Region) -> int:
    return region.start
