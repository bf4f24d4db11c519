"""Facts: named, typed values about one deployment, each with where it came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from knockon.terms.place import Position
from knockon.terms.words import Scalar

OriginKind = Literal["flag", "env", "file", "model", "gpu", "engine-default", "derived", "set"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a fact came from: `text` for people ("flag --tensor-parallel-size"), `at` when it stands in a file."""

    kind: OriginKind
    text: str
    at: Position | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One named value; its type, unit and range are in rules/vocabulary.yaml under the same name."""

    name: str
    value: Scalar
    origin: Origin


# Which origin wins when a fact is stated twice; first is strongest. A person's word beats what was read,
# what was asked on the command line beats what the engine would do by itself.
PRECEDENCE: tuple[OriginKind, ...] = ("set", "flag", "env", "file", "model", "gpu", "derived", "engine-default")


def values_of(facts: Mapping[str, Fact]) -> dict[str, Scalar]:
    """The plain values by name, as the back-ends take them."""
    return {name: fact.value for name, fact in facts.items()}


def merged(*groups: Mapping[str, Fact]) -> dict[str, Fact]:
    """All facts by name; of two with one name the stronger origin of `PRECEDENCE` wins, then the earlier group."""
    strongest: dict[str, Fact] = {}
    for group in groups:
        for name, fact in group.items():
            held = strongest.get(name)
            if held is None or PRECEDENCE.index(fact.origin.kind) < PRECEDENCE.index(held.origin.kind):
                strongest[name] = fact
    return strongest
