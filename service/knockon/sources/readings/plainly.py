"""What a report says in words: its texts, the names of what was observed, and the notes beside them."""

from collections.abc import Iterator
from dataclasses import replace

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.document import Items, Keys, Node, Word
from knockon.sources.readings.forms import OBSERVATIONS
from knockon.sources.readings.prose import CONFIG, SYMPTOM, SYSTEM
from knockon.sources.readings.report import read_report
from knockon.terms.place import Position

_TEXTS = (SYMPTOM, CONFIG, SYSTEM)
_OBSERVED = ("metric", "name", "value", "note")
# As much of what one report says as tells what it is about.
_TOLD_MAX = 20_000


def taken_from(told: str, vocabulary: Vocabulary, *, filename: str) -> Taken:
    """What a text without any form says of a system; a reading or fact only where its words leave no doubt."""
    at = Position(filename, 1, 1)
    report = Keys(at, {OBSERVATIONS: Items(at), SYMPTOM: Word(told, at)}, {OBSERVATIONS: at, SYMPTOM: at})
    return replace(read_report(report, vocabulary), told=told_in(report), source="readings", filename=filename)


def told_in(top: Keys) -> str:
    """Every word of `top` but units and places, in one line; at most _TOLD_MAX characters."""
    return "; ".join(_texts(top))[:_TOLD_MAX]


def _texts(top: Keys) -> Iterator[str]:
    for name in _TEXTS:
        node = top.held.get(name)
        if isinstance(node, Word):
            yield node.text
    observed = top.held.get(OBSERVATIONS)
    if isinstance(observed, Keys):
        for name, node in observed.held.items():
            yield f"{name.replace('_', ' ')} {_word(node)}"
    for one in observed.held if isinstance(observed, Items) else ():
        if isinstance(one, Keys):
            words = (_word(one.held[name]).replace("_", " ") for name in _OBSERVED if name in one.held)
            yield " ".join(word for word in words if word)


def _word(node: Node) -> str:
    """A text that is not only a number; a list says nothing in words."""
    if not isinstance(node, Word):
        return ""
    return node.text if any(letter.isalpha() for letter in node.text) else ""
