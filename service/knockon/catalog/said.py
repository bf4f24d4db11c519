"""What is said of a technique, folded once for searching."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knockon.catalog.names import folded
from knockon.catalog.technique import Technique
from knockon.terms.words import TechniqueId


@dataclass(frozen=True, slots=True)
class Said:
    """Names and texts of one technique without case, width, dashes and blanks."""

    technique: TechniqueId
    written: tuple[tuple[str, str, str], ...]
    """Every name: folded, as written, and whether it is a "name" or an "alias"."""
    names: str
    """All folded names, a line each."""
    goal: str
    summary: str


def said_of(techniques: Iterable[Technique]) -> Mapping[TechniqueId, Said]:
    """By technique, in their order."""
    return {one.id: _said(one) for one in techniques}


def _said(one: Technique) -> Said:
    names = [(name, "name") for name in (one.id, one.name.en, one.name.zh) if name]
    names += [(alias, "alias") for group in one.aliases.values() for alias in group]
    names += [(former, "alias") for former in one.former_ids]
    written = tuple((folded(name), name, where) for name, where in names)
    return Said(
        technique=one.id,
        written=written,
        names="\n".join(dict.fromkeys(name for name, _, _ in written)),
        goal="\n".join((folded(one.goal.en), folded(one.goal.zh))),
        summary="\n".join((folded(one.summary.en), folded(one.summary.zh))),
    )
