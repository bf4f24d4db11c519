"""The block "Serving Benchmark Result" that benchmark_serving and its children print, out of any text around it."""

import re
from collections.abc import Iterator

from knockon.sources.result_text import Result, result_of
from knockon.terms.place import Position
from knockon.terms.words import Json

# The first line of a block: the words between rows of =. Older and other scripts print other words, then are not read.
_FIRST = re.compile(r"(?<!=)={3,}+\s*+Serving Benchmark Result\s*={3}", re.ASCII)
_LAST = re.compile(r"={20,}", re.ASCII)
_LINE = re.compile(r"(?P<label>[^:\n]{1,80}?)\s*:\s+(?P<value>\S{1,40})(?:\s.{0,40})?", re.ASCII)
_OTHER = re.compile(r"[^a-z0-9]+")
# No block is longer; what follows without an end is other text.
_LINES_MAX = 120
# A line of a block has 51 characters; what is much longer is no line of one.
_CHARACTERS_MAX = 200


def has_block(text: str) -> bool:
    """Whether there is a block in the text."""
    return _FIRST.search(text) is not None


def blocks_of(text: str, filename: str) -> Iterator[Result]:
    """Every block as a result: "Median TTFT (ms):  91.86" is `median_ttft_ms`, as a text."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        if _FIRST.search(lines[index][:_CHARACTERS_MAX]) is None:
            index += 1
            continue
        at = Position(filename, index + 1, 1)
        held: dict[str, Json] = {}
        for inner in lines[index + 1 : index + 1 + _LINES_MAX]:
            index += 1
            if _LAST.fullmatch(inner.strip()[:_CHARACTERS_MAX]) or _FIRST.search(inner[:_CHARACTERS_MAX]):
                break
            match = _LINE.fullmatch(inner.strip()[:_CHARACTERS_MAX])
            if match is not None:
                held.setdefault(_OTHER.sub("_", match["label"].lower()).strip("_"), match["value"])
        else:
            index += 1
        yield result_of(dict(held), at)
