"""What a draft of a technique may hold beside what every one has: switches, sizes and needs, each from one line."""

import re
from dataclasses import dataclass

from knockon.curate.forms import WORD
from knockon.expr.check import check_condition
from knockon.expr.condition import parsed
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.words import Text

_SWITCH = re.compile(r"(?P<engine>[^=\s]+)=(?P<switch>.*?\S)(?:@(?P<since>[0-9][^@\s]*))?")
_BASES = ("arithmetic", "stated", "example")


@dataclass(frozen=True, slots=True)
class Switch:
    """How an engine turns it on, and since which release, where that is known."""

    engine: str
    switch: str
    since: str


@dataclass(frozen=True, slots=True)
class Size:
    """How much of one quantity; `rests_on` is a word for what is not measured, else what it was measured on."""

    quantity: str
    text: Text
    rests_on: str

    @property
    def key(self) -> str:
        """Under which key of a size `rests_on` stands."""
        return "basis" if self.rests_on in _BASES else "measured_on"


@dataclass(frozen=True, slots=True)
class Need:
    """What it assumes, and under which condition."""

    text: Text
    when: str


def switch_of(line: str) -> Switch:
    """A switch from `vllm=--flag` or `vllm=--flag@0.10`; raises IntakeError."""
    match = _SWITCH.fullmatch(line.strip())
    if match is None or not WORD.accepts(match["engine"]):
        raise _refused("switch", line, "ENGINE=SWITCH or ENGINE=SWITCH@RELEASE, like vllm=--enable-dbo@0.10")
    return Switch(match["engine"], match["switch"].strip(), match["since"] or "")


def size_of(line: str) -> Size:
    """A size from `quantity=English|Chinese|what it rests on`; raises IntakeError."""
    quantity, _, rest = line.partition("=")
    fields = [field.strip() for field in rest.split("|")]
    if len(fields) != len(("en", "zh", "rests_on")) or not all(fields) or not quantity.strip():
        bases = ", ".join(_BASES)
        raise _refused("size", line, f"QUANTITY=ENGLISH|CHINESE|BASIS; a basis is {bases}, or what it was measured on")
    return Size(quantity.strip(), Text(fields[0], fields[1]), fields[2])


def need_of(line: str, vocabulary: Vocabulary) -> Need:
    """A need from `English|Chinese` or `English|Chinese|condition`; raises IntakeError or ExpressionError."""
    english, chinese, when, *more = *(field.strip() for field in line.split("|")), "", "", ""
    if not english or not chinese or any(more):
        raise _refused("need", line, "ENGLISH|CHINESE or ENGLISH|CHINESE|CONDITION")
    if when:
        check_when(when, vocabulary)
    return Need(Text(english, chinese), when)


def check_when(text: str, vocabulary: Vocabulary) -> None:
    """Hold a condition to the language and the vocabulary; raises ExpressionError or LimitExceeded."""
    check_condition(parsed(text), vocabulary, text=text)


def _refused(field: str, line: str, expected: str) -> IntakeError:
    return IntakeError(Problem("incomplete-draft", f"{line!r} is no {field}", expected))
