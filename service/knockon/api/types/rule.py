"""Rules with their examples, and the walls that diagnose rules speak of."""

from typing import Any

import strawberry

from knockon.api.context import Info, knowledge_of
from knockon.api.shape import field, interface, nonempty, pairs, shows
from knockon.api.types.source import SOURCES, STALE, STALE_FROM, Source, is_stale, sources_of, stale_from
from knockon.api.types.technique import Technique, techniques_named
from knockon.api.types.words import Assigned, Expectation, Setting, Text
from knockon.expr.show import show
from knockon.rules import rule, wall
from knockon.terms.words import CheckVerdict


@shows(rule.Example)
class Example:
    """A case that is shipped with a rule and tested."""

    name: str = field("What the case is.")
    given: list[Setting] = field("Facts or readings.", resolver=pairs("given", Assigned))
    expect: Expectation = field("What the rule does on it.")


@shows(wall.Wall)
class Wall:
    """What can limit a system."""

    id: strawberry.ID = field("Id: `memory`, `compute`, `bandwidth` …")
    name: Text = field("Name.")
    layers: list[str] = field("Layers it can stand in.")
    dimension: str = field("The dimension it belongs to.")
    means: Text = field("What it is.")
    parent: str | None = field("The coarser wall it is part of; null when it is none's part.")
    relieved_by: list[str] = field(
        "Quantities whose gain moves it away; empty where those of its parent do, or any in its dimension."
    )


@interface
class Rule:
    """A rule of any kind."""

    id: strawberry.ID = field("K and a number for couple rules, D and a number for diagnose rules; never re-used.")
    name: Text = field("What it is about.")
    when: str = field("When it fires, in the language of rules.")
    says: Text = field("What it says; `{name}` stands for a value of the deployment.")
    examples: list[Example] = field("Cases it is tested on.")
    checked: str = field("ISO day on which its sources were last looked at; empty where that is not known.")
    stale: bool = field(STALE)
    stale_from: str = field(STALE_FROM)
    sources: list[Source] = field(SOURCES)


def _because(root: rule.CoupleRule, info: Info) -> Any:
    return techniques_named(info, root.because)


@shows(rule.CoupleRule)
class CoupleRule(Rule):
    """A rule about techniques together, judged on the facts of a deployment."""

    verdict: CheckVerdict = field("What a finding of it says.")
    when: str = field("When it fires, in the language of rules.", resolver=nonempty("when_text"))
    because: list[Technique] = field("The techniques it speaks of.", resolver=_because)
    asked_with: list[str] = field("Facts without which it is not asked at all.")
    remarks: list[Text] = field("What else is worth knowing.")
    stale: bool = field(STALE, resolver=is_stale)
    stale_from: str = field(STALE_FROM, resolver=stale_from)
    sources: list[Source] = field(SOURCES, resolver=sources_of)


def _shown_all(attribute: str) -> Any:
    def resolver(root: rule.DiagnoseRule) -> list[str]:
        return [show(node) for node in getattr(root, attribute)]

    return resolver


def wall_of(root: Any, info: Info) -> wall.Wall:
    """A resolver for whatever has the id of a `wall`."""
    return knowledge_of(info).rulebook.walls[root.wall]


@shows(rule.DiagnoseRule)
class DiagnoseRule(Rule):
    """A rule about one wall, judged on readings and thresholds."""

    kind: str = field("What is the matter, as a word that never changes.")
    wall: Wall = field("The wall it sees.", resolver=wall_of)
    layer: str = field("Where the wall then stands.")
    dimension: str = field("The dimension that is short.")
    when: str = field("When it fires, in the language of rules.", resolver=nonempty("when_text"))
    observes: list[str] = field("The readings its verdict rests on, two or more.")
    supports: list[str] = field("Conditions that speak for it.", resolver=_shown_all("supports"))
    against: list[str] = field("Conditions that speak against it.", resolver=_shown_all("against"))
    outranks: list[strawberry.ID] = field("Rules whose reading of the same symptoms it overrules.")
    confidence: float = field("0 to 1, when all that it observes was measured.")
    confirm: Text = field("The experiment that would confirm or refute it.")
    advice: list[Text] = field("What to do about the wall.")
    stale: bool = field(STALE, resolver=is_stale)
    stale_from: str = field(STALE_FROM, resolver=stale_from)
    sources: list[Source] = field(SOURCES, resolver=sources_of)
