"""Both languages say the same: no Chinese older than its English, no number in one that is another in the other.

And Chinese is Chinese, without gaps where its sentences were folded.
"""

import re
from collections.abc import Iterable, Iterator

from knockon.curate.checks.pairs import Pair
from knockon.curate.translations import Ledger, older
from knockon.terms.errors import Problem

# A number and what multiplies it: 42 thousand, 65B, 6 万. A letter counts only where no word goes on.
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9.])([0-9][0-9,]*(?:\.[0-9]+)?)"
    r"(?:\s?(thousand|million|billion|trillion)\b|([KMBTk])(?![A-Za-z0-9])|\s?(百万|十亿|千|万|亿))?"
)
# Full-width marks bring their own space.
_GAP = re.compile("[。，、；：！？（）] ")
_HAN = re.compile("[\u3400-\u9fff]")
_ENGLISH_WORD = re.compile(r"[A-Za-z]?[a-z]+[.,;:]?")
# Names and formulas are the same in both; words one after another are a sentence.
_WORDS_OF_A_SENTENCE = 3
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


def problems(pairs: Iterable[Pair], ledger: Ledger | None) -> Iterator[Problem]:
    """Chinese that was made from other English than stands beside it now, numbers that differ, and gaps."""
    pairs = tuple(pairs)
    for pair in older(pairs, ledger) if ledger is not None else ():
        what = "the English beside it has changed since this was translated"
        fix = "translate it anew; where it still says the same, `knockon catalog fmt --translated FILE`"
        at = pair.located.at(*pair.steps, "zh")
        yield Problem("translation-older", what, "Chinese that was made from this English", fix, at)
    for pair in pairs:
        if any(map(str.isdigit, pair.en)):
            yield from _uneven(pair)
        words = sum(_ENGLISH_WORD.fullmatch(word) is not None for word in pair.zh.split())
        if words >= _WORDS_OF_A_SENTENCE and not _HAN.search(pair.zh):
            at = pair.located.at(*pair.steps, "zh")
            yield Problem("not-translated", "no Chinese stands here", "the sentence in Chinese", "translate it", at)
        if gap := _GAP.search(pair.zh):
            what = f"a space follows {gap.group()[0]!r}, as where a folded line ends"
            fix = "write the sentences on one line, or end the line elsewhere"
            yield Problem("gap-in-chinese", what, "Chinese without gaps", fix, pair.located.at(*pair.steps, "zh"))


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
