"""Profiles: thresholds for hardware × engine × model × load, each with its provenance."""

from collections.abc import Mapping
from dataclasses import dataclass

from knockon.terms.citation import Cite
from knockon.terms.words import Text


@dataclass(frozen=True, slots=True)
class Threshold:
    """One value. `provenance` is "experience", "measured", "history" or "datasheet"."""

    value: float
    unit: str
    provenance: str
    checked: str
    cite: tuple[Cite, ...]
    samples: int = 0
    says: Text | None = None
    calibrated_by: tuple[str, ...] = ()
    """How it may be calibrated: "history", "sweep"."""
    interval: tuple[float, float] | None = None
    """Between what the value lies with 95 % confidence, where it was computed."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A set of thresholds; `base` names the profile whose values hold where this one is silent."""

    name: str
    title: Text
    base: str | None
    hardware: str
    engine: str
    model: str
    load: str
    thresholds: Mapping[str, Threshold]
    calibrated: bool = False
    load_when_text: str = ""
    """The condition on readings and facts under which a load is the one the profile is for."""
