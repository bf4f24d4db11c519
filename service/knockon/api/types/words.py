"""Words of the domain that many types use: sentences in both languages, and the closed sets."""

from dataclasses import dataclass
from enum import StrEnum

from knockon.api.scalars import Value
from knockon.api.shape import enum, field, shows
from knockon.catalog.fitting import FoundIn
from knockon.catalog.grid import CellState
from knockon.catalog.hop import EndKind, HopKind
from knockon.catalog.place import Standing
from knockon.catalog.symptom import Judgement
from knockon.rules.course import CourseState
from knockon.terms import place, words
from knockon.terms.truth import Truth
from knockon.terms.words import Change, CheckedDepth, CheckVerdict, Effect


@shows(words.Text)
class Text:
    """A sentence or a name for people, in both languages."""

    en: str = field("English.")
    zh: str = field("Chinese (Simplified).")


@shows(place.Position)
class Position:
    """A place in a file or in a command line; lines and columns count from 1."""

    path: str = field("The file, or `<command>` for a command line that was given.")
    line: int = field("Line, from 1.")
    column: int = field("Column in characters, from 1.")


@dataclass(frozen=True, slots=True)
class Assigned:
    """One entry of a mapping of values."""

    name: str
    value: words.Scalar


@shows(Assigned)
class Setting:
    """A fact or reading with a value."""

    name: str = field("Name, as in `vocabulary`.")
    value: Value = field("Value, in the unit of the name.")


@dataclass(frozen=True, slots=True)
class Way:
    """One entry of a mapping of ways to obtain something."""

    where: str
    how: str


@shows(Way)
class HowTo:
    """How to obtain a value."""

    where: str = field("The engine or exporter that has it, as PromQL; `any` for what is the same everywhere.")
    how: str = field("The metric, flag or file to look at.")


class FactOrigin(StrEnum):
    """What kind of place a fact came from."""

    FLAG = "flag"
    ENV = "env"
    FILE = "file"
    MODEL = "model"
    GPU = "gpu"
    ENGINE_DEFAULT = "engine-default"
    DERIVED = "derived"
    SET = "set"


class RelationKind(StrEnum):
    """How one technique stands to another."""

    REQUIRES = "requires"
    CONFLICTS = "conflicts"
    DEGRADES = "degrades"
    MITIGATES = "mitigates"
    AMPLIFIES = "amplifies"
    SUPERSEDES = "supersedes"
    CONTRASTS = "contrasts"
    COMBINES = "combines"
    JOINS = "joins"


class NameKind(StrEnum):
    """What kind of thing a name of the language stands for."""

    FACT = "fact"
    READING = "reading"
    THRESHOLD = "threshold"


class Expectation(StrEnum):
    """What a rule does on an example."""

    FIRES = "fires"
    SILENT = "silent"
    UNKNOWN = "unknown"


enum(
    CheckVerdict,
    "What `check` says of a deployment, or one rule of its finding.",
    says={
        "CONFLICT": "It does not start, or does not do what was meant.",
        "DEGRADED": "It works and loses something that a better setting would keep.",
        "NOTE": "Worth knowing; nothing is lost against another setting. Only findings are notes.",
        "FINE": "Every rule that applies was decided, and none found anything.",
        "UNKNOWN": "Nothing was found, but some rules could not be decided; see `cannotTell`.",
    },
)
enum(
    Effect,
    "What a shift is to the one who turns the technique on.",
    says={"GAIN": "What the technique is used for.", "COST": "What it costs."},
)
enum(
    Change,
    "The direction in which a quantity moves.",
    says={"UP": "It rises.", "DOWN": "It falls."},
)
enum(
    CheckedDepth,
    "How far a source was read when the claim was checked.",
    says={
        "READ": "The passage itself was read.",
        "ABSTRACT": "The abstract or summary was read.",
        "LISTING": "Only its entry in a listing was seen.",
    },
)
enum(
    FoundIn,
    "Where the words of a search stand.",
    says={
        "NAME": "In its id or name.",
        "ALIAS": "In another of its names: an abbreviation, a flag, a former id.",
        "GOAL": "In what it is for.",
        "SUMMARY": "In how it works.",
        "SPELLING": "Nowhere, but one of its names is spelled much like them.",
    },
)
enum(
    CellState,
    "What is known of a cell.",
    says={
        "OCCUPIED": "At least one technique is in it.",
        "UNEXPLORED": "Empty, and nobody has said why.",
        "KNOWN_EMPTY": "Empty, and it is known why nobody does it.",
        "IMPOSSIBLE": "Nothing can be there.",
    },
)
enum(
    Standing,
    "How something stands to what is already in its cell.",
    says={
        "REPLACEMENT": "Same cell, same mechanism: one or the other.",
        "ALTERNATIVE": "Same cell, other mechanism.",
        "COMBINATION": "It does the work of two others together.",
        "NEW_DIRECTION": "Nothing was in the cell until now.",
        "UNDECIDED": "The cell is occupied and the mechanism was not said.",
        "IMPOSSIBLE": "Nothing can be in that cell.",
    },
)
enum(
    Judgement,
    "How far a layer can be the cause of a symptom.",
    says={
        "LIKELY": "Look here first.",
        "POSSIBLE": "It can be the cause.",
        "UNLIKELY": "It hardly is the cause.",
        "CANNOT": "It cannot be the cause.",
    },
)
enum(
    Truth,
    "The three truths; a rule fires on TRUE only.",
    says={"TRUE": "It holds.", "FALSE": "It does not hold.", "UNKNOWN": "It cannot be told from what is known."},
)
enum(
    CourseState,
    "What a diagnose rule does at one instant of a series.",
    says={
        "INACTIVE": "Its condition does not hold.",
        "PENDING": "Its condition holds, and has not held for long enough yet.",
        "FIRING": "It fires.",
        "UNKNOWN": "Its condition cannot be told, and it was not firing.",
    },
)
enum(
    HopKind,
    "How one thing reaches the next.",
    says={
        "SHIFT": "A technique moves a quantity.",
        "INFLUENCE": "A quantity pulls another along.",
        "EATS": "A quantity moves against what a technique is used for.",
        "VIOLATES": "What a technique assumes does not hold, or is brought nearer to not holding.",
        "CONFLICTS": "Two techniques exclude one another.",
        "DEGRADES": "A technique makes another worth less.",
        "REQUIRES": "A technique takes another along.",
        "STRANDS": "A technique loses the one it requires.",
        "UNRELIEVES": "A technique loses the one that mitigates its cost.",
        "FIRES": "A couple rule fires, or is brought nearer to firing.",
    },
)
enum(
    EndKind,
    "What stands at an end of a hop.",
    says={"TECHNIQUE": "A technique.", "QUANTITY": "A quantity.", "RULE": "A couple rule."},
)
enum(
    FactOrigin,
    "What kind of place a fact came from.",
    says={
        "FLAG": "A flag of the engine's command.",
        "ENV": "An environment variable of the command.",
        "FILE": "A file.",
        "MODEL": "The model's config.json.",
        "GPU": "The GPU's datasheet.",
        "ENGINE_DEFAULT": "What the engine does when nobody says.",
        "DERIVED": "Computed from other facts.",
        "SET": "Given with the question.",
    },
)
enum(
    RelationKind,
    "How one technique stands to another.",
    says={
        "REQUIRES": "It does not work without the other.",
        "CONFLICTS": "Not both at once.",
        "DEGRADES": "It makes the other worth less.",
        "MITIGATES": "It takes away some of the other's cost.",
        "AMPLIFIES": "It makes the other worth more.",
        "SUPERSEDES": "It does the same, better.",
        "CONTRASTS": "Worth comparing side by side.",
        "COMBINES": "It works together with the other.",
        "JOINS": "It is made of the other, and of what else it joins.",
    },
)
enum(
    NameKind,
    "What a name of the language stands for.",
    says={
        "FACT": "A value of a deployment; couple rules judge facts.",
        "READING": "A measurement; diagnose rules judge readings.",
        "THRESHOLD": "A value of the profile in force.",
    },
)
enum(
    Expectation,
    "What a rule does on one of its examples.",
    says={
        "FIRES": "Its condition is TRUE.",
        "SILENT": "Its condition is FALSE.",
        "UNKNOWN": "It cannot be told.",
    },
)
