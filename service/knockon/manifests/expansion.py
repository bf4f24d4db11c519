"""A word as written → the words it becomes, with the variables of a script put in."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from knockon.manifests.arithmetic import number_of
from knockon.manifests.branches import Value
from knockon.manifests.tokens import Literal, Param, Part, Raw
from knockon.manifests.word import Word, check_count, concatenated, gap_of, spliced, word_of
from knockon.manifests.written import Written
from knockon.terms.place import Position

_FIELD = re.compile(r"[^ \t\n\r\f\v]+")
_BLANKS = " \t\n\r\f\v"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where the variables of a script are looked up."""

    script: Written
    variables: Mapping[str, Value]
    environment: Mapping[str, Word]
    positional: tuple[Word, ...] | None

    def value(self, name: str) -> Value | None:
        """What a variable holds; None when nothing sets it here."""
        if name in ("@", "*"):
            return self.positional
        if name.isdigit():
            given = self.positional or ()
            return given[int(name) - 1] if len(name) < 5 and 0 < int(name) <= len(given) else None
        held = self.variables.get(name)
        return held if held is not None else self.environment.get(name)

    def known_text(self, name: str) -> str | None:
        """The text that a variable holds; None when it is not known."""
        held = self.value(name)
        return held.text if isinstance(held, Word) and not held.gaps else None


@dataclass(frozen=True, slots=True)
class _Atom:
    """A part of a word: text, or the items of an array."""

    held: Word | tuple[Word, ...]
    splits: bool = False


def expanded(raw: Raw, scope: Scope) -> list[Word]:
    """The words that one word becomes: none, one or several."""
    script = scope.script
    parts = raw.parts
    at = script.at(raw.start)
    if len(parts) == 1 and isinstance(parts[0], Literal):
        return [word_of(script.cut(parts[0].start, parts[0].end), at=at)]
    fields = _fields(_atoms(parts, scope), at=at)
    if len(fields) == 1 and not (len(parts) == 1 and isinstance(parts[0], Param) and parts[0].is_items):
        return [_glued(fields[0], at=at)]
    starts_here = isinstance(parts[0], Literal) if parts else True
    words = []
    for index, field in enumerate(fields):
        own = at if index == 0 and starts_here else field[0].written.at(0)
        words.append(_glued(field, at=own))
    return words


def text_of(parts: Sequence[Part], scope: Scope, *, start: int) -> Word:
    """The parts as one word, nothing split: what an assignment gives its variable; `start` is where it stands."""
    at = scope.script.at(start)
    glued: list[Word] = []
    for atom in _atoms(parts, scope):
        items = (atom.held,) if isinstance(atom.held, Word) else atom.held
        check_count(len(glued) + len(items), at)
        for index, item in enumerate(items):
            if index:
                glued.append(Word(Written(" ", item.written.pieces[:1]), item.at))
            glued.append(item)
    if not glued:
        return Word(scope.script.cut(start, start), at)
    return _glued(glued, at=at)


def _glued(words: Sequence[Word], *, at: Position) -> Word:
    """Parts of one word as one; it may be several when its only part may."""
    if len(words) == 1:
        return replace(words[0], at=at)
    return concatenated(words, at=at)


def _atoms(parts: Sequence[Part], scope: Scope) -> list[_Atom]:
    atoms: list[_Atom] = []
    for part in parts:
        if isinstance(part, Literal):
            atoms.append(_Atom(word_of(scope.script.cut(part.start, part.end)), splits=False))
        else:
            atoms += _param(part, scope)
    return atoms


def _param(part: Param, scope: Scope) -> list[_Atom]:
    splits = not part.is_quoted
    held = scope.value(part.name) if part.kind == "variable" else None
    operator = part.operator
    is_set = held is not None and (not operator.startswith(":") or not isinstance(held, Word) or bool(held.text))
    if operator.endswith("+"):
        return _atoms_splitting(part, scope) if is_set else []
    if is_set and operator != "other":
        assert held is not None, "a variable that is set has a value"
        if isinstance(held, Word):
            return [_Atom(held, splits)]
        if part.is_items or splits or part.name == "*":
            return [_Atom(held, splits)]
        # `$NAME` of an array is its first item.
        return [_Atom(held[0], splits)] if held else []
    if part.kind == "variable" and operator.endswith(("-", "=")):
        return _atoms_splitting(part, scope)
    written = scope.script.cut(part.start, part.end)
    if part.kind == "arithmetic":
        number = number_of(part.name, scope.known_text)
        if number is not None:
            return [_Atom(Word(Written(str(number), written.pieces[:1]), written.at(0)))]
    gap = word_of(written) if part.kind == "template" else gap_of(written)
    return [_Atom(Word(gap.written, gap.at, gap.gaps, is_open=splits or part.is_items), splits)]


def _atoms_splitting(part: Param, scope: Scope) -> list[_Atom]:
    """What stands behind the operator; its literal blanks split words where the whole is not quoted."""
    return [
        _Atom(atom.held, splits=not part.is_quoted and not each.is_quoted)
        for each in part.rest
        for atom in _atoms([each], scope)
    ]


def _fields(atoms: Sequence[_Atom], *, at: Position) -> list[list[Word]]:
    """The atoms of one written word, grouped into the words they become."""
    fields: list[list[Word]] = []
    is_open = False
    for atom in atoms:
        check_count(len(fields), at)
        for piece in _pieces(atom):
            if piece is None:
                is_open = False
            elif is_open:
                fields[-1].append(piece)
            else:
                fields.append([piece])
                is_open = True
    return fields


def _pieces(atom: _Atom) -> list[Word | None]:
    """The words that an atom adds, with None wherever one word ends and another may begin."""
    if not isinstance(atom.held, Word):
        pieces: list[Word | None] = []
        for index, item in enumerate(atom.held):
            pieces += [None, item] if index else [item]
        return pieces
    if not atom.splits:
        return [atom.held]
    return _split(atom.held)


def _split(word: Word) -> list[Word | None]:
    """A word split at its blanks; what is not known is never split."""
    solid = word.text
    for gap in word.gaps:
        solid = solid[: gap.start] + "x" * (gap.end - gap.start) + solid[gap.end :]
    pieces: list[Word | None] = []
    for match in _FIELD.finditer(solid):
        start, end = match.span()
        if start > 0:
            pieces.append(None)
        pieces.append(word if start == 0 and end == len(solid) else _opened(spliced(word, start, end)))
    if solid and solid[-1] in _BLANKS:
        pieces.append(None)
    return pieces


def _opened(piece: Word) -> Word:
    """A piece that is nothing but a gap may be several words where the whole word may."""
    is_gap = len(piece.gaps) == 1 and piece.gaps[0].start == 0 and piece.gaps[0].end == len(piece.text)
    return replace(piece, is_open=is_gap)
