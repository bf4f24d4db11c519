"""A number stands where its source stands, and says on what it was measured or what else it rests on."""

import re
from collections.abc import Iterator

from knockon.curate.checks.translations import numbers_in
from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part, parts, string
from knockon.terms.errors import Problem

# Numbers that somebody measured or computed. Bits are left out: "4 bits" says what a format is, not how good it is.
_MEASURED = re.compile(
    r"(?<![A-Za-z0-9.])[0-9][0-9,]*(?:\.[0-9]+)?\s?"
    r"(?:%|×|x\b|times\b|percent\b|points\b|[KMGTP]i?B(?:/s)?\b|(?:ms|µs|us|ns|s|min|h|W|kW|MW|kWh|MWh|J)\b(?![-/'])"
    r"|(?:seconds|minutes|hours|days|tokens/s|tokens per second|FLOPS|TFLOPS|FLOP/s|TFLOP/s)\b)"
)


def problems(tree: Tree) -> Iterator[Problem]:
    """Sizes that do not say what they rest on, and numbers of goal and summary that no cited sentence repeats."""
    for located in tree.of_kind("technique").values():
        yield from _sizes(located)
        for key in ("goal", "summary"):
            text = string(part(located.entry.body, key), "en")
            for match in _MEASURED.finditer(text):
                if not numbers_in(match[0]).keys() & _cited(located.entry.body):
                    what = f"no source is given for {match[0]!r}"
                    expected = "the number in the size of a shift, or in another sentence that cites its source"
                    fix = "add it there, or leave it out here"
                    yield Problem(
                        "unsourced-number", what, expected, fix, located.inside(key, "en", offset=match.start())
                    )


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
    for group in ("shifts", "needs", "relations"):
        for claim in parts(body, group):
            size = part(claim, "size")
            for text in (string(part(claim, "says"), "en"), string(part(size, "text"), "en")):
                found |= numbers_in(text).keys()
            found |= {float(value) for key in ("factor", "value") if isinstance(value := size.get(key), int | float)}
    return found
