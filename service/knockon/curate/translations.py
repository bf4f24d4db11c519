"""Which English each Chinese sentence was made from: digests in a file beside the sentences, none among them.

`catalog/translations.lock` has a line for each sentence: the digest of the Chinese, the digest of the English it stood
beside when the two were last taken to say the same. Lines know neither file nor key, so that sentences may move, and
two people's lines merge as a union. A sentence whose Chinese is known there beside other English only is out of date.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from knockon.curate.checks.pairs import Pair
from knockon.terms.errors import CurationError, Problem
from knockon.terms.place import Position

FILE_NAME = "translations.lock"
_HEAD = "# Written by `knockon catalog fmt`: digests of each Chinese sentence and of the English it was made from.\n"
_LINE = re.compile(r"([0-9a-f]{8}) ([0-9a-f]{8})")

Ledger = Mapping[str, frozenset[str]]
"""Digest of the Chinese → digests of the English it was made from; the same words may stand for several."""


def ledger_text(catalog_dir: Path) -> str | None:
    """The text of the record beside the catalog; None where there is none."""
    file = catalog_dir / FILE_NAME
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None


def read_ledger(catalog_dir: Path) -> Ledger | None:
    """What is recorded beside the catalog; None where nothing is.

    Raises:
        CurationError: a line is no pair of digests; left-overs of a merge, most of the time.
    """
    if (text := ledger_text(catalog_dir)) is None:
        return None
    found: dict[str, set[str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            what, fix = "this is no line of digests", "remove it, then run `knockon catalog fmt`"
            expected = "two digests of eight hexadecimal digits"
            raise CurationError(
                [Problem("bad-form", what, expected, fix, Position(str(catalog_dir / FILE_NAME), number, 1))]
            )
        found.setdefault(match[1], set()).add(match[2])
    return {chinese: frozenset(english) for chinese, english in found.items()}


@dataclass(frozen=True, slots=True)
class Against:
    """What differs between the sentences of a tree and the record."""

    older: Sequence[Pair]
    """Pairs whose English has changed since their Chinese was made, and their Chinese has not."""
    unrecorded: Sequence[Pair]
    """Pairs that the record does not have, and that are not older."""
    unused: Collection[tuple[str, str]]
    """Lines of the record, as digests of Chinese and English, that no sentence has any more."""


def against(pairs: Iterable[Pair], ledger: Ledger) -> Against:
    """The sentences held against the record, so that nothing differs where `refreshed` would change nothing."""
    digested = _digested(pairs)
    said = {(chinese, english) for _, chinese, english in digested}
    recorded = {(chinese, english) for chinese, made_from in ledger.items() for english in made_from}
    if said == recorded:
        return Against((), (), ())
    # The same Chinese may stand for other English elsewhere; only where none of the recorded is left, one changed.
    beside = _beside(digested)
    changed = {chinese for chinese in ledger.keys() & beside if not beside[chinese] & ledger[chinese]}
    lacking = [one for one in digested if one[1:] not in recorded]
    return Against(
        [pair for pair, chinese, _ in lacking if chinese in changed],
        [pair for pair, chinese, _ in lacking if chinese not in changed],
        {line for line in recorded - said if line[0] not in changed},
    )


def lines_in(text: str, digests: Collection[tuple[str, str]]) -> Iterator[int]:
    """The numbers of the lines of a record, given by its text, that hold these digests."""
    for number, line in enumerate(text.splitlines(), start=1):
        if tuple(line.split(" ")) in digests:
            yield number


def refreshed(pairs: Iterable[Pair], ledger: Ledger, *, confirmed: frozenset[str] = frozenset()) -> str:
    """The text of the file for these pairs; what is out of date stays so, unless its file's path is `confirmed`."""
    digested = _digested(pairs)
    beside = _beside(digested)
    said_again = {chinese for pair, chinese, _ in digested if pair.located.document.path in confirmed}
    lines: set[str] = set()
    for chinese, english in beside.items():
        recorded = ledger.get(chinese, frozenset())
        is_older = recorded and not english & recorded and chinese not in said_again
        lines.update(f"{chinese} {each}\n" for each in (recorded if is_older else english))
    return _HEAD + "".join(sorted(lines))


def extended(pairs: Iterable[Pair], ledger: Ledger) -> str:
    """The text of the file with the lines of these pairs beside those it has."""
    lines = {f"{chinese} {english}\n" for chinese, made_from in ledger.items() for english in made_from}
    lines.update(f"{chinese} {english}\n" for _, chinese, english in _digested(pairs))
    return _HEAD + "".join(sorted(lines))


def _digested(pairs: Iterable[Pair]) -> list[tuple[Pair, str, str]]:
    return [(pair, _digest(pair.zh), _digest(pair.en)) for pair in pairs]


def _beside(digested: Iterable[tuple[Pair, str, str]]) -> dict[str, set[str]]:
    beside: dict[str, set[str]] = {}
    for _, chinese, english in digested:
        beside.setdefault(chinese, set()).add(english)
    return beside


def _digest(text: str) -> str:
    # Nobody gains by two sentences with one digest, so a checksum is enough, and the fastest there is.
    return f"{crc32(text.encode()):08x}"
