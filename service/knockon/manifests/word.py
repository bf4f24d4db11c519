"""A word of a command as it will be when the command runs, as far as that is known."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from knockon.manifests.template import MASK
from knockon.manifests.written import Piece, Written, joined
from knockon.terms.argument import Argument
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import COMMAND_ARGUMENTS_MAX, EXPANSION_TEXT_MAX
from knockon.terms.place import Position

# A text out of more places than this was doubled again and again.
_PIECES_MAX = 20_000
# What is not known of a word is looked at for each of its parts.
_GAPS_MAX = 1_000
_MASKED = re.compile(f"{MASK}+")
# `$(NAME)` as Kubernetes replaces it; `$$` keeps a dollar.
_REFERENCE = re.compile(r"\$\$|\$\(([-._a-zA-Z][-._a-zA-Z0-9]*)\)")
# `${NAME}`, `${NAME:-default}` and `$NAME` as Compose and systemd replace them.
_VARIABLE = re.compile(
    r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])((?:[^${}]|\$\{[^${}]*\})*))?\}|\$([A-Za-z_][A-Za-z0-9_]*)"
)
_PIECE = re.compile(r"\s+|'[^']*'|\"(?:\\.|[^\"\\])*\"|\\\r?\n|\\.|[^\s'\"\\]+|['\"\\]", re.DOTALL)
_QUOTES = ("'", '"')
_ESCAPE = re.compile(r"\\[\"\\$`]")
_PLACEHOLDER = re.compile(r"<[A-Za-z][A-Za-z0-9_ .-]*>")


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of a word, from `start` to before `end`, that is not known here."""

    start: int
    end: int
    shown: str
    """As it stands in the file."""
    is_several: bool = False
    """It is known to hold further arguments."""
    is_choice: bool = False
    """Which value it has depends on a condition of the script; `shown` has them all."""
    is_unclosed: bool = False
    """It has a quote that is not closed, and all that follows."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its text with the place of every character, and what of it is not known."""

    written: Written
    at: Position
    gaps: tuple[Gap, ...] = ()
    is_open: bool = False
    """It may turn out to be no word, or several."""

    @property
    def text(self) -> str:
        """The text; gaps stand as they do in the file."""
        return self.written.text

    def argument(self) -> Argument:
        """The word as the engines take it."""
        return Argument(self.written.text, self.at)


def word_of(written: Written, *, at: Position | None = None) -> Word:
    """A text as one word; masked template code in it becomes gaps."""
    at = at or written.at(0)
    if MASK not in written.text:
        return Word(written, at)
    parts: list[Written] = []
    gaps: list[Gap] = []
    last = 0
    for masked in _MASKED.finditer(written.text):
        shown = _shown_mask(written, masked.start(), masked.end())
        parts += [written.cut(last, masked.start()), shown]
        gaps.append(Gap(masked.start(), masked.end(), shown.text))
        last = masked.end()
    parts.append(written.cut(last, len(written.text)))
    _check_gaps(len(gaps), at)
    return Word(joined(parts, nowhere=written), at, tuple(gaps))


def _shown_mask(written: Written, start: int, end: int) -> Written:
    """Masked template code as it stands in the file."""
    file, offset = written.source(start)
    return Written(file.text[offset : offset + end - start], (Piece(0, file, offset),))


def script_of(word: Word) -> Written:
    """The word as a script of its own; what is not known stays so."""
    text = word.text
    for gap in word.gaps:
        text = text[: gap.start] + MASK * (gap.end - gap.start) + text[gap.end :]
    return Written(text, word.written.pieces)


def gap_of(written: Written, *, at: Position | None = None, is_open: bool = False, is_several: bool = False) -> Word:
    """A text that stands for something that is not known."""
    gap = Gap(0, len(written.text), written.text, is_several)
    return Word(written, at or written.at(0), (gap,), is_open)


def choice_of(near: Word, *, shown: str, is_several: bool) -> Word:
    """A text that depends on a condition; `shown` is what it may be."""
    written = Written("?", near.written.pieces[:1])
    return Word(written, near.at, (Gap(0, 1, shown, is_several, is_choice=True),), is_open=True)


def in_place_of(text: str, near: Word, *, at: Position | None = None) -> Word:
    """A text that is written nowhere, said to stand where `near` does."""
    return Word(Written(text, near.written.pieces[:1]), at or near.at)


def split_words(word: Word) -> list[Word]:
    """A text split at its blanks, quotes and backslashes understood, nothing replaced and no operators.

    From a word whose quote is not closed on, nothing is known.
    """
    words: list[Word] = []
    parts: list[Word] = []
    start: int | None = None
    text = script_of(word)
    for match in _PIECE.finditer(text.text):
        piece = match[0]
        if piece.isspace() or piece in ("\\\n", "\\\r\n"):
            if start is not None and piece.isspace():
                words.append(_placed(parts, word, start))
                parts, start = [], None
            continue
        if start is None:
            start = match.start()
        if piece in _QUOTES:
            # Not closed: whoever reads it refuses it, or takes all the rest for one word.
            rest = word.written.cut(start, len(word.text))
            gap = Gap(0, len(rest.text), rest.text, is_several=True, is_unclosed=True)
            return [*words, Word(rest, word.written.at(start), (gap,))]
        parts += _piece(word, match.start(), match.end(), piece)
    if start is not None:
        words.append(_placed(parts, word, start))
    return words


def _placed(parts: list[Word], word: Word, start: int) -> Word:
    at = word.written.at(start)
    return concatenated(parts, at=at) if parts else Word(word.written.cut(start, start), at)


def _piece(word: Word, start: int, end: int, piece: str) -> list[Word]:
    """What a quoted, escaped or plain piece of a text stands for."""
    if piece[0] == "'" and len(piece) > 1:
        return [spliced(word, start + 1, end - 1)] if len(piece) > 2 else []
    if piece[0] == "\\" and len(piece) == 2:
        return [spliced(word, start + 1, end)]
    if piece[0] != '"' or len(piece) == 1:
        return [spliced(word, start, end)]
    inner: list[Word] = []
    last = start + 1
    for escape in _ESCAPE.finditer(word.text, start + 1, end - 1):
        inner += [spliced(word, last, escape.start()), spliced(word, escape.start() + 1, escape.end())]
        last = escape.end()
    return [*inner, spliced(word, last, end - 1)]


def with_references(word: Word, variables: Mapping[str, Word]) -> Word:
    """`$(NAME)` replaced as Kubernetes does; one without a variable stays, and is not known."""
    if "$" not in word.text:
        return word

    def value(match: re.Match[str]) -> Word | None:
        return variables.get(match[1])

    return _replaced(word, _REFERENCE, value)


def with_variables(word: Word, variables: Mapping[str, Word]) -> Word:
    """`${NAME}`, `${NAME:-default}` and `$NAME` replaced as Compose does; those without a value are not known."""
    if "$" not in word.text:
        return word

    def value(match: re.Match[str]) -> Word | None:
        name, operator, rest = match[1] or match[4], match[2] or "", match[3]
        held = variables.get(name)
        is_set = held is not None and (bool(held.text) or not operator.startswith(":"))
        if operator.endswith("+"):
            return _nested(word, match, variables) if is_set else Word(word.written.cut(0, 0), word.at)
        if is_set:
            return held
        return _nested(word, match, variables) if operator.endswith("-") and rest is not None else None

    return _replaced(word, _VARIABLE, value)


def _nested(word: Word, match: re.Match[str], variables: Mapping[str, Word]) -> Word:
    inner = word.written.cut(match.start(3), match.end(3))
    return with_variables(Word(inner, word.at), variables)


def with_placeholders(word: Word) -> Word:
    """A word that is only `<fill me in>` is not known."""
    if word.gaps or not _PLACEHOLDER.fullmatch(word.text):
        return word
    return gap_of(word.written, at=word.at)


def spliced(word: Word, start: int, end: int) -> Word:
    """A part of a word with the gaps in it."""
    gaps = tuple(
        replace(gap, start=max(gap.start, start) - start, end=min(gap.end, end) - start)
        for gap in word.gaps
        if gap.start < end and gap.end > start
    )
    written = word.written.cut(start, end)
    at = written.at(0) if start else word.at
    return Word(written, at, gaps)


def concatenated(words: Sequence[Word], *, at: Position) -> Word:
    """Words glued together into one that stands at `at`; raises LimitExceeded."""
    if len(words) == 1 and words[0].at == at:
        return words[0]
    length = pieces = 0
    gaps: list[Gap] = []
    for word in words:
        gaps += [replace(gap, start=gap.start + length, end=gap.end + length) for gap in word.gaps]
        length += len(word.text)
        pieces += len(word.written.pieces)
    if length > EXPANSION_TEXT_MAX:
        raise LimitExceeded("the text of a variable", limit=EXPANSION_TEXT_MAX, found=length, at=at)
    if pieces > _PIECES_MAX:
        raise LimitExceeded("the number of parts of a word", limit=_PIECES_MAX, found=pieces, at=at)
    _check_gaps(len(gaps), at)
    return Word(joined([word.written for word in words]), at, tuple(gaps))


def check_count(count: int, at: Position) -> None:
    """Refuse more words than a command may have; raises LimitExceeded."""
    if count > COMMAND_ARGUMENTS_MAX:
        limit = COMMAND_ARGUMENTS_MAX
        raise LimitExceeded("the number of words of the command", limit=limit, found=count, at=at)


def _check_gaps(count: int, at: Position) -> None:
    if count > _GAPS_MAX:
        raise LimitExceeded("the number of variables in a word", limit=_GAPS_MAX, found=count, at=at)


def _replaced(word: Word, pattern: re.Pattern[str], value: Callable[[re.Match[str]], Word | None]) -> Word:
    parts: list[Word] = []
    last = 0
    for match in pattern.finditer(word.text):
        parts.append(spliced(word, last, match.start()))
        last = match.end()
        if match[0] == "$$":
            parts.append(spliced(word, match.start(), match.start() + 1))
            continue
        held = value(match)
        if held is None:
            held = gap_of(word.written.cut(match.start(), match.end()))
        parts.append(held)
    if not parts:
        return word
    parts.append(spliced(word, last, len(word.text)))
    return concatenated(parts, at=word.at)
