"""What is said of techniques, by its words: made once, for every search."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log

from knockon.catalog.stems import joined_words, stem, words_of
from knockon.catalog.technique import Technique
from knockon.terms.words import TechniqueId

# What a word counts by where it stands: a name says what a technique is, its text what else it has to do with.
IN_NAME, IN_GOAL, IN_SUMMARY = 1.0, 0.9, 0.8
# Of the pairs of a Chinese term about one in two is a word; the others lie across two, and most that nobody says do.
HAN_KNOWN, HAN_FOREIGN = 0.5, 0.25
# They tell in which stage a technique stands, or what sort of thing it is, not which one it is.
_KINDS = """
algorithm inference kernel kernels llm llms method model models optimization optimizer serving strategy training
推理 训练 服务
"""
_OF_KIND = 0.35


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a technique."""

    written: str
    is_alias: bool
    stems: tuple[str, ...]
    """In the order they stand."""
    held: frozenset[str]
    """The same, and those of each two neighbours without their blank."""

    @property
    def is_setting(self) -> bool:
        """Whether it is an option or a key of a program, whose words need not say what the technique is."""
        return is_setting(self.written)


@dataclass(frozen=True, slots=True)
class Said:
    """Names and texts of techniques by the stems of their words."""

    names: Mapping[TechniqueId, Sequence[Name]]
    told: Mapping[TechniqueId, Mapping[str, float]]
    """What each stem counts that is said of a technique, by the best place in which it stands."""
    had: Mapping[str, int]
    """How many techniques have each stem."""
    words: Sequence[str]
    """Every word that stands in a name."""
    joined: Sequence[str]
    """Every two that stand together in a name, without the blank between them."""

    def weight(self, known: str) -> float:
        """How much a stem tells: the fewer techniques have it, the more."""
        had = self.had.get(known, 0)
        weight = log(1 + (len(self.told) - had + 0.5) / (had + 0.5))
        return weight if known.isascii() else weight * (HAN_KNOWN if had else HAN_FOREIGN)

    def weight_in_name(self, known: str) -> float:
        """How much a stem of a name that nobody asked for tells of it: the stage and the sort of thing tell little."""
        return self.weight(known) * (_OF_KIND if known in _KIND_STEMS else 1.0)


_KIND_STEMS = frozenset(map(stem, _KINDS.split()))


def said_of(techniques: Iterable[Technique]) -> Said:
    """What is said of these."""
    stem_of = cache(stem)
    names: dict[TechniqueId, Sequence[Name]] = {}
    told: dict[TechniqueId, Mapping[str, float]] = {}
    had: Counter[str] = Counter()
    words: dict[str, None] = {}
    joined: dict[str, None] = {}
    for one in techniques:
        its_names: list[Name] = []
        goal, summary = ((*words_of(text.en), *words_of(text.zh)) for text in (one.goal, one.summary))
        its_stems = dict.fromkeys(map(stem_of, summary), IN_SUMMARY) | dict.fromkeys(map(stem_of, goal), IN_GOAL)
        # An id and a name are often the same words; the first that has them stands for both.
        written = {tuple(words_of(name)): (name, is_alias) for name, is_alias in reversed(names_of(one).items())}
        for its_words, (name, is_alias) in reversed(written.items()):
            both = dict.fromkeys(joined_words(its_words))
            words |= dict.fromkeys(its_words)
            joined |= both
            stems = tuple(map(stem_of, its_words))
            held = frozenset((*stems, *map(stem_of, both)))
            its_names.append(Name(name, is_alias, stems, held))
            its_stems |= dict.fromkeys(held, IN_NAME)
        names[one.id], told[one.id] = its_names, its_stems
        had.update(its_stems.keys())
    return Said(names, told, had, tuple(words), tuple(joined))


def is_setting(name: str) -> bool:
    """Whether a name is an option or a key of a program: `--watermark`, `pin_memory`."""
    return name.startswith("-") or "_" in name


def names_of(one: Technique) -> dict[str, bool]:
    """Every name as it is written, and whether it is an alias: an abbreviation, a flag, a former id."""
    names = dict.fromkeys((name for name in (one.id, one.name.en, one.name.zh) if name), False)
    for alias in (*(alias for group in one.aliases.values() for alias in group), *one.former_ids):
        names.setdefault(alias, True)
    return names
