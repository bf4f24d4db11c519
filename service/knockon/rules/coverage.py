"""The collection checklist: which of KPI, resources and load & config context were collected."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from knockon.rules.rulebook import Rulebook

CLASSES = ("kpi", "resource", "context")

# Key configuration is not a reading: it comes with the deployment.
KEY_CONFIG = "key_config"


@dataclass(frozen=True, slots=True)
class ClassCoverage:
    """One class of the checklist: which items were collected. `ratio` is 0..1."""

    name: str
    collected: tuple[str, ...]
    absent: tuple[str, ...]

    @property
    def ratio(self) -> float:
        """Share of the items collected."""
        return len(self.collected) / max(1, len(self.collected) + len(self.absent))


@dataclass(frozen=True, slots=True)
class Coverage:
    """The checklist as a whole, with a warning where the context is missing."""

    classes: tuple[ClassCoverage, ...]
    warning: str

    @property
    def ratios(self) -> Mapping[str, float]:
        """Ratio by class."""
        return {part.name: round(part.ratio, 2) for part in self.classes}


def coverage(rulebook: Rulebook, observed: AbstractSet[str], *, has_config: bool) -> Coverage:
    """Which checklist items `observed` readings fill; `has_config` says whether the deployment was given."""
    parts = []
    for name in CLASSES:
        items: dict[str, bool] = {}
        for kind in rulebook.readings.values():
            if kind.checklist == name and kind.item is not None:
                items[kind.item] = items.get(kind.item, False) or kind.name in observed
        if name == "context":
            items[KEY_CONFIG] = has_config
        parts.append(
            ClassCoverage(
                name,
                collected=tuple(item for item, has in items.items() if has),
                absent=tuple(item for item, has in items.items() if not has),
            )
        )
    absent = parts[-1].absent
    warning = (
        f"load & config context is missing ({', '.join(absent)}): without it this run cannot be compared with another"
        if absent
        else ""
    )
    return Coverage(tuple(parts), warning)
