"""Both languages say the same: no Chinese older than its English, no number in one that is another in the other.

And Chinese is Chinese, without gaps where its sentences were folded.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from knockon.curate.checks.pairs import Pair
from knockon.curate.translations import FILE_NAME, Against, Ledger, against, ledger_text, lines_in
from knockon.terms.errors import Problem
from knockon.terms.place import Position

# A number and what multiplies it: 42 thousand, 65B, 6 万. A letter counts only where no word goes on.
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9.])([0-9][0-9,]*(?:\.[0-9]+)?)"
    r"(?:\s?(thousand|million|billion|trillion)\b|([KMBTk])(?![A-Za-z0-9])|\s?(百万|十亿|千|万|亿))?"
)
_DIGIT = re.compile("[0-9]")
# Full-width marks bring their own space.
_GAP = re.compile("[。，、；：！？（）] ")
_HAN = re.compile("[\u3400-\u9fff]")
# What is written without Chinese: words between blanks and marks. Those of small letters are English ones; capitals,
# digits and joints are those of names, units and formulas: `CUDA Graph`, `FSDP2 23%`, `num_heads / TP = {width}`.
_WORD = re.compile(r"[^\s，。；：、（）,;()]+")
_ENGLISH_WORD = re.compile(r"[A-Za-z]?[a-z]+[.:!?]?")
_SMALL_WORD = re.compile(r"[a-z]{2,}[.:!?]?")
_FIGURE = re.compile(r"[0-9=/×<>%{]")
# English that goes on in small letters. A Chinese sentence holds names, flags and words like token; three of these and
# more than half as many as it has Chinese characters are in none of 18,000 of them.
_RUNNING = re.compile(r"(?<![A-Za-z0-9_.\-/{=\"])[a-z]{2,}(?![A-Za-z0-9_\-/}=\"])")
_RUNNING_MIN = 3
_RUNNING_SHARE = 0.5
# Keys of what a thing is called.
_NAMING = frozenset(("name", "title"))
_FACTORS = {
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "B": 1e9,
    "T": 1e12,
    "千": 1e3,
    "万": 1e4,
    "百万": 1e6,
    "亿": 1e8,
    "十亿": 1e9,
}


def problems(pairs: Iterable[Pair], ledger: Ledger | None, catalog_dir: Path | None = None) -> Iterator[Problem]:
    """Chinese that was made from other English than stands beside it now, numbers that differ, and gaps.

    Args:
        pairs: every sentence that could be read.
        ledger: what is recorded of them; None where nothing is.
        catalog_dir: beside which it is recorded; None where sentences are missing, so that a line may be theirs.
    """
    pairs = tuple(pairs)
    if ledger is not None:
        held = against(pairs, ledger)
        yield from _recorded(held)
        if catalog_dir is not None and held.unused:
            yield _unused(held.unused, catalog_dir)
    for pair in pairs:
        if _DIGIT.search(pair.en):
            yield from _uneven(pair)
        yield from _swapped(pair)
        if gap := _GAP.search(pair.zh):
            what = f"a space follows {gap.group()[0]!r}, as where a folded line ends"
            fix = "write the sentences on one line, or end the line elsewhere"
            yield Problem("gap-in-chinese", what, "Chinese without gaps", fix, pair.located.at(*pair.steps, "zh"))


def _recorded(held: Against) -> Iterator[Problem]:
    """What the record says otherwise, or not at all."""
    for pair in held.older:
        what = "the English beside it has changed since this was translated"
        fix = "translate it anew; where it still says the same, `knockon catalog fmt --translated FILE`"
        at = pair.located.at(*pair.steps, "zh")
        yield Problem("translation-older", what, "Chinese that was made from this English", fix, at)
    expected, fix = "each sentence in both languages in the record", "look at both, then run `knockon catalog fmt`"
    first: dict[str, list[Pair]] = {}
    for pair in held.unrecorded:
        first.setdefault(pair.located.document.path, []).append(pair)
    for pair, *more in first.values():
        what = f"{FILE_NAME} has no line for this" + (f", nor for {len(more)} more of the file" if more else "")
        yield Problem("unrecorded-translation", what, expected, fix, pair.located.at(*pair.steps, "zh"))


def _unused(unused: Collection[tuple[str, str]], catalog_dir: Path) -> Problem:
    first, *more = lines_in(ledger_text(catalog_dir) or "", unused)
    what = "no sentence belongs to this line" + (f", nor to {len(more)} more" if more else "")
    at = Position(str(catalog_dir / FILE_NAME), first, 1)
    return Problem("unused-translation", what, "lines of sentences that are there", "run `knockon catalog fmt`", at)


def _swapped(pair: Pair) -> Iterator[Problem]:
    """One language standing as the other."""
    if _HAN.search(pair.en):
        at = pair.located.at(*pair.steps, "en")
        yield Problem("not-translated", "Chinese stands here", "the sentence in English", "translate it", at)
    if _HAN.search(pair.zh):
        what = "hardly any Chinese stands here" if _is_mostly_english(pair.zh) else ""
    else:
        what = "" if _is_the_same_in_chinese(pair) else "no Chinese stands here"
    if what:
        at = pair.located.at(*pair.steps, "zh")
        yield Problem("not-translated", what, "the sentence in Chinese", "translate it", at)


def _is_mostly_english(chinese: str) -> bool:
    running = len(_RUNNING.findall(chinese))
    return running >= _RUNNING_MIN and running > _RUNNING_SHARE * len(_HAN.findall(chinese))


def _is_the_same_in_chinese(pair: Pair) -> bool:
    """Whether this is a name, or a figure or formula where there can be one."""
    words = _WORD.findall(pair.zh)
    has_small = any(_SMALL_WORD.fullmatch(word) for word in words)
    if pair.steps[-1] in _NAMING:
        return len(words) == 1 or not has_small
    if pair.steps[-2:] != ("size", "text") and "derive" not in pair.steps:
        return False
    # `Saves 20%` beside itself is English; a figure of something with a name is worded otherwise in the two.
    is_worded = pair.en == pair.zh and any(_ENGLISH_WORD.fullmatch(word) for word in words)
    return bool(_FIGURE.search(pair.zh)) and not has_small and not is_worded


def _uneven(pair: Pair) -> Iterator[Problem]:
    """A language may write a number as a word; numbers that both have for themselves contradict one another."""
    english, chinese = numbers_in(pair.en), numbers_in(pair.zh)
    lone, alone = english.keys() - chinese.keys(), chinese.keys() - english.keys()
    if lone and alone:
        said = [" and ".join(sorted(held[key] for key in keys)) for held, keys in ((english, lone), (chinese, alone))]
        what = f"the English says {said[0]}, the Chinese {said[1]}"
        yield Problem("uneven-numbers", what, "the same numbers in both languages", "", pair.located.at(*pair.steps))


def numbers_in(text: str) -> dict[float, str]:
    """The numbers of a sentence by value, as they are written: 6 万 and 60,000 are one."""
    found: dict[float, str] = {}
    for match in _NUMBER.finditer(text):
        factor = next((word for word in match.groups()[1:] if word), "")
        value = float(match[1].replace(",", "")) * _FACTORS.get(factor, 1.0)
        found.setdefault(float(f"{value:.12g}"), match[0].strip())
    return found
