"""A number stands where its source stands, and says on what it was measured or what else it rests on."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from knockon.curate.checks.pairs import Pair
from knockon.curate.checks.translations import numbers_in
from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part, parts, string
from knockon.terms.bundle import Kind
from knockon.terms.errors import Problem

# Numbers that somebody measured or computed. Bits are left out: "4 bits" says what a format is, not how good it is.
_MEASURED = re.compile(
    r"(?<![A-Za-z0-9.])[0-9][0-9,]*(?:\.[0-9]+)?\s?"
    r"(?:%|×|x\b|times\b|percent\b|points\b|[KMGTP]i?B(?:/s)?\b|(?:ms|µs|us|ns|s|min|h|W|kW|MW|kWh|MWh|J)\b(?![-/'])"
    r"|(?:seconds|minutes|hours|days|tokens/s|tokens per second|FLOPS|TFLOPS|FLOP/s|TFLOP/s)\b)"
)


_MEASURED_IN_CHINESE = re.compile(
    r"(?<![A-Za-z0-9.])[0-9][0-9,]*(?:\.[0-9]+)?\s?"
    r"(?:%|×|倍|(?:[KMGTP]i?B(?:/s)?|ms|µs|us|ns|s|min|h|W|kW|MW|kWh|MWh|J|[TP]?FLOPS)(?![A-Za-z0-9]|[-/'])"
    r"|毫秒|微秒|秒|分钟|小时|个百分点)"
)
_DIGIT = re.compile("[0-9]")
# A reading is defined with numbers, of what it is at one point or another; nobody measured those.
_DEFINING: frozenset[Kind] = frozenset(("vocabulary",))


def problems(tree: Tree, pairs: Iterable[Pair]) -> Iterator[Problem]:
    """Sizes that do not say what they rest on, and numbers in sentences without a source that no cited one repeats."""
    for located in tree.of_kind("technique").values():
        yield from _sizes(located)
    for pair in pairs:
        if pair.located.entry.kind not in _DEFINING:
            yield from _unsourced(pair)


def _cites(pair: Pair) -> bool:
    """Whether a source stands beside the sentence or around it. That of a whole technique is for its being there."""
    around: list[Any] = [pair.located.entry.body]
    for step in pair.steps:
        around.append(around[-1][step])
    return any("cite" in each for each in around[pair.located.entry.kind == "technique" :])


def _unsourced(pair: Pair) -> Iterator[Problem]:
    for language, text, measured in (("en", pair.en, _MEASURED), ("zh", pair.zh, _MEASURED_IN_CHINESE)):
        for match in measured.finditer(text) if _DIGIT.search(text) else ():
            if not _cites(pair) and not numbers_in(match[0]).keys() & _cited(pair.located.entry.body):
                what = f"no source is given for {match[0]!r}"
                expected = "the number in the size of a shift, or in another sentence that cites its source"
                fix = "add it there, or leave it out here"
                at = pair.located.inside(*pair.steps, language, offset=match.start())
                yield Problem("unsourced-number", what, expected, fix, at)


def _sizes(located: Located) -> Iterator[Problem]:
    for index, shift in enumerate(parts(located.entry.body, "shifts")):
        size = part(shift, "size")
        given = [key for key in ("measured_on", "basis") if key in size]
        if size and len(given) != 1:
            what = f"the size says {'both' if given else 'neither'} on what it was measured and what else it rests on"
            expected = "`measured_on`, or `basis` where nobody measured it"
            fix = "open the source; where it names no model or hardware, `measured_on` says so"
            yield Problem("unmeasured-number", what, expected, fix, located.at("shifts", index, "size"))


def _cited(body: Body) -> set[float]:
    """Every number of the sentences that cite."""
    found: set[float] = set()
    for group in ("shifts", "needs", "relations", "influences"):
        for claim in parts(body, group):
            size = part(claim, "size")
            for pair in (part(claim, "says"), part(size, "text")):
                found |= numbers_in(string(pair, "en")).keys() | numbers_in(string(pair, "zh")).keys()
            found |= {float(value) for key in ("factor", "value") if isinstance(value := size.get(key), int | float)}
    return found
