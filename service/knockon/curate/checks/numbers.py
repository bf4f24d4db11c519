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
# The same in words, where they compare a measure: "twice the layers" counts, "twice as fast" was measured.
_BETTER = r"(?:fast|quick|slow|cheap|costly|expensive|efficient|accurate)"
_TIMES = r"(?:twice|thrice|two|three|four|five|six|eight|ten)(?: times)?"
_MEASURE = r"(?:speed|throughput|latency|cost|accuracy)"
_WORDED = re.compile(
    rf"\b(?:(?:twice|thrice|half|\w+ times) as {_BETTER}\w*|{_TIMES} {_BETTER}e?r\b"
    rf"|(?:doubles|triples|halves) (?:the |its )?{_MEASURE}\b)",
    re.IGNORECASE,
)
_WORDED_IN_CHINESE = re.compile(
    r"[快慢][一两二三四五六八十]倍|快一半|慢一半|(?:速度|吞吐|延迟|成本|精度)(?:翻倍|翻番|减半)"
)
# A reading is defined with numbers, of what it is at one point or another; nobody measured those.
_DEFINING: frozenset[Kind] = frozenset(("vocabulary",))


def problems(tree: Tree, pairs: Iterable[Pair]) -> Iterator[Problem]:
    """Sizes that do not say what they rest on, and numbers in sentences without a source that no cited one repeats."""
    for located in tree.of_kind("technique").values():
        yield from _sizes(located)
        yield from _inferred(located)
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
    if not _cites(pair):
        yield from _unsourced_words(pair)


def _unsourced_words(pair: Pair) -> Iterator[Problem]:
    for language, text, worded in (("en", pair.en, _WORDED), ("zh", pair.zh, _WORDED_IN_CHINESE)):
        for match in worded.finditer(text):
            what = f"no source is given for {match[0]!r}"
            expected = "a measure in the size of a shift, as a number"
            at = pair.located.inside(*pair.steps, language, offset=match.start())
            yield Problem("unsourced-number", what, expected, "add it there, and leave it out here", at)


def _inferred(located: Located) -> Iterator[Problem]:
    """Measured numbers in sentences that no source says: a number is never inferred."""
    for group in ("shifts", "needs", "relations"):
        for index, claim in enumerate(parts(located.entry.body, group)):
            says = part(claim, "says") if claim.get("inferred") else {}
            for language, measured in (("en", _MEASURED), ("zh", _MEASURED_IN_CHINESE)):
                text = string(says, language)
                for match in measured.finditer(text) if _DIGIT.search(text) else ():
                    if not numbers_in(match[0]).keys() & _sized(claim):
                        at = located.inside(group, index, "says", language, offset=match.start())
                        expected = "the number in the size of the shift, with what it was measured on"
                        fix = "put it there, or into a sentence that is not inferred"
                        yield Problem("inferred-number", f"{match[0]!r} is inferred", expected, fix, at)


def _sizes(located: Located) -> Iterator[Problem]:
    for index, shift in enumerate(parts(located.entry.body, "shifts")):
        size = part(shift, "size")
        given = [key for key in ("measured_on", "basis") if key in size]
        if size and len(given) != 1:
            what = f"the size says {'both' if given else 'neither'} on what it was measured and what else it rests on"
            expected = "`measured_on`, or `basis` where nobody measured it"
            fix = "open the source; `measured_on` says what it names of model, data, hardware and version"
            yield Problem("unmeasured-number", what, expected, fix, located.at("shifts", index, "size"))


def _cited(body: Body) -> set[float]:
    """Every number of the sentences that cite."""
    found: set[float] = set()
    for group in ("shifts", "needs", "relations", "influences"):
        for claim in parts(body, group):
            says = part(claim, "says")
            found |= numbers_in(string(says, "en")).keys() | numbers_in(string(says, "zh")).keys() | _sized(claim)
    return found


def _sized(claim: Body) -> set[float]:
    """Every number of the size of a claim."""
    size = part(claim, "size")
    text = part(size, "text")
    found = {*numbers_in(string(text, "en")), *numbers_in(string(text, "zh"))}
    return found | {float(value) for key in ("factor", "value") if isinstance(value := size.get(key), int | float)}
