"""Profiles of thresholds, and the vocabulary that conditions are written in."""

from dataclasses import dataclass
from typing import Any

import strawberry

from knockon.api.context import Info, knowledge_of
from knockon.api.scalars import UpperWord
from knockon.api.shape import field, nonempty, pairs, path, shows
from knockon.api.types.kinds import Provenance, ValueType
from knockon.api.types.source import Source
from knockon.api.types.words import HowTo, NameKind, Text, Way
from knockon.expr.vocabulary import NameInfo
from knockon.rules import profile
from knockon.rules.thresholds import InForce, in_force


@dataclass(frozen=True, slots=True)
class NamedThreshold:
    """A threshold in force under its name."""

    name: str
    held: InForce


def thresholds_of(held: dict[str, InForce]) -> list[NamedThreshold]:
    """Thresholds in force, by name."""
    return [NamedThreshold(name, one) for name, one in sorted(held.items())]


def _sources(root: NamedThreshold, info: Info) -> Any:
    return knowledge_of(info).catalog.sources(root.held.threshold.cite)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Two values that something lies between."""

    low: float
    high: float


@shows(Bounds)
class Interval:
    """What a value lies between."""

    low: float = field("At least this.")
    high: float = field("At most this.")


def _interval(root: NamedThreshold) -> Bounds | None:
    held = root.held.threshold.interval
    return None if held is None else Bounds(*held)


def _samples(root: NamedThreshold) -> int | None:
    return root.held.threshold.samples or None


@shows(NamedThreshold)
class Threshold:
    """One threshold in force."""

    name: str = field("Name; conditions write `threshold.` before it.")
    value: float = field("Value.", resolver=path("held", "threshold", "value"))
    unit: str = field("Its unit; 1 for a ratio.", resolver=path("held", "threshold", "unit"))
    provenance: Provenance = field(
        "Where the value comes from. An experience value is no physical limit.",
        resolver=path("held", "threshold", "provenance"),
    )
    checked: str = field("ISO date on which it was last looked at.", resolver=path("held", "threshold", "checked"))
    samples: int | None = field("Measurements behind it; null when it was not measured.", resolver=_samples)
    interval: Interval | None = field(
        "Between what it lies with 95 % confidence; null where that was not computed.", resolver=_interval
    )
    says: Text | None = field("What it means; null where the name says it.", resolver=path("held", "threshold", "says"))
    profile: str = field(
        "The profile the value comes from: the asked one, or a base of it.", resolver=path("held", "profile")
    )
    sources: list[Source] = field("Who says so.", resolver=_sources)


def _thresholds(root: profile.Profile, info: Info) -> Any:
    return thresholds_of(in_force(knowledge_of(info).rulebook.profiles, root.name))


@shows(profile.Profile)
class Profile:
    """Thresholds for a kind of hardware, engine, model and load."""

    name: strawberry.ID = field("Name.")
    title: Text = field("Name for people.")
    base: str | None = field("The profile whose values hold where this one is silent; null when it has none.")
    hardware: str = field("Hardware it is for; `any` for all.")
    engine: str = field("Engine it is for.")
    model: str = field("Model it is for.")
    load: str = field("Load it is for.")
    calibrated: bool = field("Whether its values come from measurements on the system itself.")
    thresholds: list[Threshold] = field(
        "Every threshold in force under it, bases included, by name.", resolver=_thresholds
    )


def _unit(root: NameInfo) -> str:
    return str(root.unit)


@shows(NameInfo)
class Name:
    """A name that conditions may use."""

    name: strawberry.ID = field("The name; it ends in its unit.")
    kind: NameKind = field("What it stands for.")
    type: ValueType = field("What its values are.")
    unit: str = field("Its unit; 1 where it has none.", resolver=_unit)
    minimum: float | None = field("Least possible value; null without one.")
    maximum: float | None = field("Greatest possible value; null without one.")
    options: list[str] = field("The texts it may be; empty when any will do.")
    means: Text = field("What it is.")
    group: UpperWord | None = field(
        "Group of a fact, class of a reading (KPI, RESOURCE, CONTEXT); null where it has none.",
        resolver=nonempty("group_or_class"),
    )
    how: list[HowTo] = field("How to obtain it; empty where nobody has said.", resolver=pairs("how", Way))
