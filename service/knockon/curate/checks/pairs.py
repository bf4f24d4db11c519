"""Every sentence in two languages of a tree, wherever it stands."""

from dataclasses import dataclass

from knockon.curate.build import Steps
from knockon.curate.tree import Located, Tree
from knockon.terms.words import Json


@dataclass(frozen=True, slots=True)
class Pair:
    """One sentence in both languages, and where it stands."""

    en: str
    zh: str
    located: Located
    steps: Steps


def pairs(tree: Tree) -> tuple[Pair, ...]:
    """All of them, in the order of the files."""
    found: list[Pair] = []
    for located in tree.located:
        _collect(dict(located.entry.body), (), located, found)
    return tuple(found)


def _collect(value: dict[str, Json] | list[Json], steps: Steps, located: Located, found: list[Pair]) -> None:
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict | list):
                _collect(item, (*steps, index), located, found)
        return
    english, chinese = value.get("en"), value.get("zh")
    if isinstance(english, str) and isinstance(chinese, str):
        found.append(Pair(english, chinese, located, steps))
        return
    for key, item in value.items():
        if isinstance(item, dict | list):
            _collect(item, (*steps, key), located, found)
