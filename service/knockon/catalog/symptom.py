"""Symptoms: what people see, which layers can and cannot be its cause, and how the words for it are recognised.

Not the diagnosis: that judges readings against thresholds (rules/diagnose.py). A symptom only says where to look first.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from knockon.terms.citation import Cite
from knockon.terms.words import Text


class Judgement(StrEnum):
    """How far a layer can be the cause of a symptom; declared from strongest to weakest."""

    LIKELY = "likely"
    POSSIBLE = "possible"
    UNLIKELY = "unlikely"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Vote:
    """What one symptom says of one layer, and why."""

    judgement: Judgement
    says: Text
    cite: tuple[Cite, ...]
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Symptom:
    """One observation, or, with `of`, several seen together that say more than each alone."""

    id: str
    name: Text
    aliases: Mapping[str, tuple[str, ...]]
    """By language, as people say it."""
    votes: Mapping[str, Vote]
    """By layer, in the order of the axes; a layer it says nothing of is absent."""
    measure: tuple[str, ...] = ()
    """Readings that confirm or refute it, first ones first."""
    of: tuple[str, ...] = ()
    """Ids of the symptoms it is made of; empty for a single observation."""
    stage: str = ""
    """The stage it belongs to; empty when it can show in any."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """Every way to say a single symptom."""

    symptoms: Mapping[tuple[str, ...], str]
    """By the words of the phrase as they are compared (see `_key`)."""
    words_max: int
    """Words of the longest phrase."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What was understood of a text: symptom ids in the order they were said, and the clauses that meant nothing."""

    symptoms: tuple[str, ...]
    not_understood: tuple[str, ...]


# Where one thing said ends and the next begins. (NFKC has turned ，；！？ into their narrow forms by then.)
_CLAUSE_END = re.compile(
    r"[,;&+。、]|[.!?](?=\s|$)"
    r"|\b(?:and|but|while|with|though|although|yet|when|despite)\b"
    r"|但是|但|而且|而|同时|并且|可是|不过|却"
)
_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]")
# Words that change nothing in "decode is very slow", "解码非常慢".
_FILLERS_EN = frozenset(
    ("a", "an", "the", "is", "are", "was", "were", "be", "been", "very", "too", "quite", "so", "really", "rather", "it")
)
_FILLERS_ZH = re.compile("非常|特别|十分|比较|有点|有些|已经|一直|总是|看起来|似乎|很|太|了|的|都|也|是|在|又|较|偏|时")
# Words that turn a saying into its opposite; one that no phrase takes up makes the clause mean nothing known.
_NEGATIONS = frozenset(("not", "no", "never", "without", "isn", "aren", "doesn", "don", "不", "没", "未", "无", "非"))
_ENDINGS = ("ing", "ed", "er", "ly", "es", "s", "e")
_STEM_MIN = 3


def phrases_of(symptoms: Iterable[Symptom]) -> Phrases:
    """Every way to say every symptom; a phrase that two of them share means the one whose id sorts first."""
    known: dict[tuple[str, ...], str] = {}
    for symptom in sorted(symptoms, key=lambda one: one.id):
        aliases = (alias for group in symptom.aliases.values() for alias in group)
        for said in (symptom.name.en, symptom.name.zh, *aliases):
            words = _words(said)
            if words:
                known.setdefault(_key(words), symptom.id)
    return Phrases(known, max(map(len, known), default=0))


def recognise(said: str, phrases: Phrases) -> Recognised:
    """Find the symptoms a text speaks of, clause by clause; word order inside a phrase does not count in English."""
    found: list[str] = []
    unclear: list[str] = []
    for clause in _CLAUSE_END.split(unicodedata.normalize("NFKC", said).casefold()):
        words = _words(clause)
        symptoms = _in_clause(words, phrases)
        if words and not symptoms:
            unclear.append(clause.strip())
        found.extend(symptom for symptom in symptoms if symptom not in found)
    return Recognised(tuple(found), tuple(unclear))


def _in_clause(words: tuple[str, ...], phrases: Phrases) -> list[str]:
    """The symptoms of one clause, in the order they were said; none when a negation is left over."""
    rest = list(words)
    found: list[tuple[int, str]] = []
    # Longest first, so that the more exact saying is tried before the shorter one in it.
    for size in range(min(phrases.words_max, len(words)), 0, -1):
        for at in range(len(words) - size + 1):
            symptom = phrases.symptoms.get(_key(rest[at : at + size]))
            if symptom is not None:
                # Blanked, not removed: what stood apart must not become neighbours.
                rest[at : at + size] = [""] * size
                found.append((at, symptom))
    if _NEGATIONS.intersection(rest):
        return []
    return [symptom for _at, symptom in sorted(found)]


def _key(words: Sequence[str]) -> tuple[str, ...]:
    """Chinese words in their order, others in any: one order stands for all."""
    return tuple(sorted(words)) if any(word.isascii() for word in words) else tuple(words)


def _words(said: str) -> tuple[str, ...]:
    folded = _FILLERS_ZH.sub(" ", unicodedata.normalize("NFKC", said).casefold())
    return tuple(_stem(word) for word in _WORD.findall(folded) if word not in _FILLERS_EN)


def _stem(word: str) -> str:
    """Cut the common English endings, so that "decoding slows" meets "slow decode"."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_MIN and word.isascii():
            return word.removesuffix(ending)
    return word
