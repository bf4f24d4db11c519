"""Couple rules by the words of their conditions: a walk asks few of them, whatever their number."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from knockon.catalog.hop import Coupling
from knockon.expr.condition import words_of

# A service keeps a few revisions; each has its own rules.
_KEPT_MAX = 8
_kept: list["Watched"] = []


@dataclass(frozen=True)
class Watched:
    """Rules by word and by technique. Not every word of a condition is a name: who finds a rule here looks at it."""

    rules: Sequence[Coupling]
    by_word: dict[str, list[int]] = field(default_factory=dict)
    by_technique: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for index, rule in enumerate(self.rules):
            for word in words_of(rule.when_text):
                self.by_word.setdefault(word, []).append(index)
            for technique in rule.because:
                self.by_technique.setdefault(technique, []).append(index)

    def naming(self, name: str) -> Iterable[Coupling]:
        """The rules whose condition may mention `name`, in their order."""
        return (self.rules[index] for index in self.by_word.get(name, ()))

    def about(self, technique: str, names: Iterable[str]) -> Iterable[Coupling]:
        """The rules that speak of a technique, or whose condition may mention one of `names`, in their order."""
        found = set(self.by_technique.get(technique, ()))
        found.update(index for name in names for index in self.by_word.get(name, ()))
        return (self.rules[index] for index in sorted(found))


def watched(rules: Sequence[Coupling]) -> Watched:
    """The index over `rules`; made once for each sequence of rules that is in use."""
    for one in _kept:
        if one.rules is rules:
            return one
    made = Watched(rules)
    _kept.append(made)
    del _kept[:-_KEPT_MAX]
    return made
