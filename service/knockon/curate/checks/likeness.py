"""Two techniques that may be one: names that differ only by spelling, or summaries nearly word for word.

Other names, aliases, may be alike in cells apart. Names proper are not in one stage, and summaries nowhere.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from unicodedata import normalize

from knockon.curate.build import Steps
from knockon.curate.tree import Located, Tree
from knockon.terms.body import part, parts, string, strings
from knockon.terms.errors import Problem

# Of 0..100. Summaries that tell of different things reach 74 in one cell, and 52 in cells apart, in a catalog of a
# thousand techniques; one that was copied and touched up stays above 85.
_TEXT_LIKE = 82
_WORD = re.compile(r"[a-z0-9.+#]+")
_CLAUSE = re.compile(r"[，。；：、（）]")
# Words that two people put differently into one name.
_FILLERS = frozenset(("the", "of", "for", "with", "a", "an", "and", "based", "to", "in", "on"))
_SPELLINGS = (("isation", "ization"), ("ising", "izing"), ("ise", "ize"), ("our", "or"), ("lling", "ling"))
_ENDINGS = (
    *("izations", "ization", "izing", "izes", "ize", "ations", "ation", "isms", "ism"),
    *("ings", "ing", "ers", "er", "ors", "or", "es", "ed", "s", "e"),
)
# What is left of a word has to be one still: "caching" and "cache" are the same, "string" and "str" are not.
_STEM_MIN = 4
# A run of that many English words, a clause of that many Chinese characters: two summaries share one by copying.
_RUN = 6
_CLAUSE_MIN = 8

Techniques = Mapping[str, Located]


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as it is written, whose it is, and where it stands in the body."""

    written: str
    key: str
    steps: Steps


def problems(tree: Tree) -> Iterator[Problem]:
    """Pairs that share nearly a name or a summary, unless one of the two says how it stands to the other."""
    live = {key: one for key, one in tree.of_kind("technique").items() if "tombstone" not in one.entry.body}
    cells = {key: frozenset(map(tuple, _cells(one))) for key, one in live.items()}
    apart = {
        frozenset((key, string(relation, "to")))
        for key, one in live.items()
        for relation in parts(one.entry.body, "relations")
    }
    for one, other, what, steps in (*_of_names(live, cells), *_of_texts(live)):
        pair = frozenset((one, other))
        if pair in apart:
            continue
        # Said once for two techniques, however many of their names are alike.
        apart.add(pair)
        fix = "make them one, rename, or add a relation (contrasts, …) that says how they differ"
        expected = "techniques that can be told apart"
        told = f"{other!r} is nearly {one!r}: {what}"
        yield Problem("near-duplicate", told, expected, fix, live[other].at(*steps))


def name_key(name: str) -> str:
    """What is left of an English name without its spelling: endings, fillers, British forms, order of words, blanks."""
    words = _WORD.findall(normalize("NFKC", name).lower().replace("_", " "))
    return "".join(sorted(_stem(word) for word in words if word not in _FILLERS))


def _stem(word: str) -> str:
    for british, american in _SPELLINGS:
        if word.endswith(british):
            word = word.removesuffix(british) + american
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_MIN:
            return word.removesuffix(ending)
    return word


def _cells(located: Located) -> list[list[str]]:
    cells = located.entry.body["cells"]
    return [list(map(str, cell)) for cell in cells if isinstance(cell, list)] if isinstance(cells, list) else []


_Alike = tuple[str, str, str, Steps]
"""Two ids, what is alike, and where it stands in the body of the second."""


def _of_names(live: Techniques, cells: Mapping[str, frozenset[tuple[str, ...]]]) -> Iterator[_Alike]:
    holders: dict[str, list[_Name]] = {}
    for key, located in live.items():
        for written, steps in _names(key, located):
            holders.setdefault(name_key(written), []).append(_Name(written, key, steps))
    for folded, names in holders.items():
        owners = {name.key: name for name in reversed(names)}
        for one, other in combinations(sorted(owners), 2) if folded else ():
            proper = all(owners[key].steps[0] != "aliases" for key in (one, other))
            stages = ({cell[0] for cell in cells[key]} for key in (one, other))
            if not (cells[one] & cells[other] or (proper and set.intersection(*stages))):
                continue
            first, second = owners[one].written, owners[other].written
            what = f"{second!r} is {first!r} but for its spelling"
            yield one, other, what, owners[other].steps


def _names(key: str, located: Located) -> Iterator[tuple[str, Steps]]:
    body = located.entry.body
    yield key, ("id",)
    yield string(part(body, "name"), "en"), ("name", "en")
    for index, alias in enumerate(strings(part(body, "aliases"), "en")):
        # Of flags and switches every letter counts.
        if not alias.startswith("-") and "_" not in alias:
            yield alias, ("aliases", "en", index)


def _of_texts(live: Techniques) -> Iterator[_Alike]:
    for language, pieces in (("en", _runs), ("zh", _clauses)):
        texts = {key: string(part(located.entry.body, "summary"), language) for key, located in live.items()}
        if near := _sharing(texts, pieces):
            # A tree without copies never pays for it.
            from rapidfuzz import fuzz  # noqa: PLC0415

            for one, other in near:
                likeness = fuzz.ratio(texts[one], texts[other])
                if likeness >= _TEXT_LIKE:
                    what = f"its summary is the other's, {likeness:.0f} % letter by letter"
                    yield one, other, what, ("summary", language)


def _sharing(texts: Mapping[str, str], pieces: Callable[[str], Iterable[str]]) -> list[tuple[str, str]]:
    """Pairs of ids whose texts have a piece in common, sorted; what is left out cannot be nearly the same."""
    holders: dict[str, set[str]] = {}
    for key, text in texts.items():
        for piece in pieces(text):
            holders.setdefault(piece, set()).add(key)
    return sorted({pair for keys in holders.values() if len(keys) > 1 for pair in combinations(sorted(keys), 2)})


def _runs(text: str) -> Iterator[str]:
    words = text.split(" ")
    return (" ".join(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1)))


def _clauses(text: str) -> Iterator[str]:
    return (clause for clause in _CLAUSE.split(text) if len(clause) >= _CLAUSE_MIN)
