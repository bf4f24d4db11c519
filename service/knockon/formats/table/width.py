"""How many columns of a terminal a text takes, and where a line of it may end; Chinese takes two and ends anywhere."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from knockon.formats.base import Tone, Words, spans

# Between ASCII characters no line ends, so a run of them is one token.
_TOKEN = re.compile(r"\s+|[!-~]+|\S")
# East Asian typography: no line begins with one of the first or ends with one of the second.
_NEVER_FIRST = frozenset("，。、；：！？）》」』】〕％…—～”’·,.;:!?)]}%")
# Where a long word may end a line: behind the joints of slugs, paths and names.
_JOINTS = frozenset("-/_,;:=.")
_NEVER_LAST = frozenset("（《「『【〔“‘([{")


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one tone that stay together."""

    text: str
    tone: Tone | None = None


@dataclass(frozen=True, slots=True)
class Atom:
    """Pieces that no line end may part; `is_spaced` when a blank stands before them, which a line end replaces."""

    pieces: tuple[Piece, ...]
    width: int
    is_spaced: bool


Line = tuple[Piece, ...]


def columns_of(text: str) -> int:
    """Columns that a printable text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def line_width(line: Line) -> int:
    """Columns that a line takes."""
    return sum(columns_of(piece.text) for piece in line)


def printable(text: str) -> str:
    """The text without characters that would move a terminal's cursor, or could not be printed at all."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\N{IDEOGRAPHIC SPACE}" else "\N{REPLACEMENT CHARACTER}" for c in text)


def wrapped(words: Words, width: int) -> list[Line]:
    """The words as lines of at most `width` columns; a longer word is cut, a longer address is left whole.

    Always gives one line at least.
    """
    lines: list[Line] = []
    current: list[Atom] = []
    used = 0
    for atom in _cut(atoms_of(words), width):
        gap = 1 if atom.is_spaced and current else 0
        if current and used + gap + atom.width > width:
            lines.append(_joined(current))
            current, used, gap = [], 0, 0
        current.append(atom)
        used += gap + atom.width
    lines.append(_joined(current))
    return lines


def atoms_of(words: Words) -> list[Atom]:
    """The words as the smallest parts between which a line may end."""
    made: list[Atom] = []
    group: list[Piece] = []
    spaced_before, previous, is_spaced = False, "", False

    def close() -> None:
        if group:
            made.append(Atom(_merged(group), line_width(tuple(group)), spaced_before))
            group.clear()

    for span in spans(words):
        text, tone = (span, None) if isinstance(span, str) else (span.text, span.tone)
        for token in _TOKEN.findall(text):
            if token.isspace():
                is_spaced = True
                continue
            if is_spaced or _may_end(previous, token[0]):
                close()
                spaced_before, is_spaced = is_spaced, False
            group.append(Piece(printable(token), tone))
            previous = token[-1]
    close()
    return made


def _may_end(previous: str, following: str) -> bool:
    """Whether a line may end between two characters that no blank parts."""
    if not previous or not (_columns(previous) == 2 or _columns(following) == 2):
        return False
    return previous not in _NEVER_LAST and following not in _NEVER_FIRST


def _columns(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _cut(atoms: Sequence[Atom], width: int) -> list[Atom]:
    """The atoms, those wider than a line in parts; an address stays whole, or it could not be followed."""
    made: list[Atom] = []
    for atom in atoms:
        if atom.width <= width or any("://" in piece.text for piece in atom.pieces):
            made.append(atom)
            continue
        characters = [Piece(character, piece.tone) for piece in atom.pieces for character in piece.text]
        is_spaced = atom.is_spaced
        while characters:
            taken = _fitting(characters, width)
            part = _merged(characters[:taken])
            made.append(Atom(part, line_width(part), is_spaced))
            characters, is_spaced = characters[taken:], False
    return made


def _fitting(characters: Sequence[Piece], width: int) -> int:
    """How many characters of a long word fit on one line, one at least; up to a joint that is late enough."""
    taken, used = 0, 0
    while taken < len(characters) and (taken == 0 or used + _columns(characters[taken].text) <= width):
        used += _columns(characters[taken].text)
        taken += 1
    if taken < len(characters):
        joints = [at for at in range(taken // 2, taken) if characters[at].text in _JOINTS]
        taken = joints[-1] + 1 if joints else taken
    return taken


def _joined(atoms: Sequence[Atom]) -> Line:
    pieces: list[Piece] = []
    for index, atom in enumerate(atoms):
        if index and atom.is_spaced:
            # A blank inside words of one tone has that tone, so that colour does not flicker.
            same = pieces[-1].tone == atom.pieces[0].tone
            pieces.append(Piece(" ", pieces[-1].tone if same else None))
        pieces.extend(atom.pieces)
    return _merged(pieces)


def _merged(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Neighbours of one tone as one piece."""
    made: list[Piece] = []
    for piece in pieces:
        if made and made[-1].tone == piece.tone:
            made[-1] = Piece(made[-1].text + piece.text, piece.tone)
        else:
            made.append(piece)
    return tuple(made)
