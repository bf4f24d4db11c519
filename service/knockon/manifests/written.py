"""Text taken out of files, where every character still knows where it stands."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from knockon.manifests.base import File
from knockon.terms.place import Position


@dataclass(frozen=True, slots=True)
class Piece:
    """From character `start` of a text on, characters stand one after the other in `file` from `offset` on."""

    start: int
    file: File
    offset: int


@dataclass(frozen=True, slots=True)
class Written:
    """A text and where it was written; `pieces` are sorted and the first starts at 0."""

    text: str
    pieces: tuple[Piece, ...]

    def source(self, index: int) -> tuple[File, int]:
        """The file and the offset in it where character `index` stands; the last one's successor at the end."""
        pieces = self.pieces
        piece = pieces[0] if len(pieces) == 1 else pieces[bisect_right(pieces, index, key=_start) - 1]
        return piece.file, piece.offset + index - piece.start

    def at(self, index: int) -> Position:
        """The position of character `index`."""
        file, offset = self.source(index)
        return file.position(offset)

    def cut(self, start: int, end: int) -> "Written":
        """The part from `start` to before `end`."""
        pieces = self.pieces
        if len(pieces) == 1:
            first = pieces[0]
            return Written(self.text[start:end], (Piece(0, first.file, first.offset + start - first.start),))
        index = bisect_right(pieces, start, key=_start) - 1
        cut = [Piece(0, pieces[index].file, pieces[index].offset + start - pieces[index].start)]
        for piece in pieces[index + 1 :]:
            if piece.start >= end:
                break
            cut.append(Piece(piece.start - start, piece.file, piece.offset))
        return Written(self.text[start:end], tuple(cut))


def whole(file: File) -> Written:
    """The whole text of a file."""
    return Written(file.text, (Piece(0, file, 0),))


def joined(parts: Iterable[Written], *, nowhere: Written | None = None) -> Written:
    """Texts one after the other; `nowhere` is given back for no parts."""
    texts: list[str] = []
    pieces: list[Piece] = []
    length = 0
    last: Written | None = None
    for part in parts:
        last = part
        if not part.text:
            continue
        pieces += [Piece(piece.start + length, piece.file, piece.offset) for piece in part.pieces]
        texts.append(part.text)
        length += len(part.text)
    if pieces:
        return Written("".join(texts), tuple(pieces))
    empty = last or nowhere
    assert empty is not None, "a text without parts needs a place"
    return Written("", empty.pieces[:1])


def _start(piece: Piece) -> int:
    return piece.start
