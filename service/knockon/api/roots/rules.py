"""Roots that look into the rules: rules, walls, profiles, vocabulary."""

# ruff: noqa: A002 - arguments are named as clients write them
from typing import Annotated, Any

import strawberry

from knockon.api.context import Info, ask_of
from knockon.api.roots.arguments import AsOf, answered
from knockon.api.types.words import NameKind
from knockon.expr.vocabulary import NameInfo, nearest
from knockon.rules.profile import Profile
from knockon.rules.rule import Rule
from knockon.rules.wall import Wall
from knockon.terms.errors import NotFound

RuleId = Annotated[strawberry.ID, strawberry.argument(description="For example K001.")]
About = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="A technique by any name: only the couple rules that speak of it."),
]
ProfileName = Annotated[str, strawberry.argument(description="Name of the profile.")]
Kind = Annotated[NameKind | None, strawberry.argument(description="Only names of that kind.")]


def rules(info: Info, technique: About = None, as_of: AsOf = None) -> list[Rule]:
    """Couple rules, then diagnose rules, by id."""
    knowledge = ask_of(info, as_of)
    if technique is None:
        return [*knowledge.rulebook.couple, *knowledge.rulebook.diagnose]
    named = knowledge.catalog.technique(technique)
    return [one for one in knowledge.rulebook.couple if named.id in one.because]


def rule(info: Info, id: RuleId, as_of: AsOf = None) -> Any:
    """One rule by its id."""
    return answered(lambda: ask_of(info, as_of).rulebook.rule(id))


def walls(info: Info, as_of: AsOf = None) -> list[Wall]:
    """Every wall."""
    return list(ask_of(info, as_of).rulebook.walls.values())


def profiles(info: Info, as_of: AsOf = None) -> list[Profile]:
    """Every profile, by name."""
    return list(ask_of(info, as_of).rulebook.profiles.values())


def profile(info: Info, name: ProfileName, as_of: AsOf = None) -> Any:
    """One profile by its name."""

    def ask() -> Profile:
        known = ask_of(info, as_of).rulebook.profiles
        if name not in known:
            raise NotFound(
                "profile", name, suggestions=nearest(name, known), fix=f"known profiles: {', '.join(sorted(known))}"
            )
        return known[name]

    return answered(ask)


def vocabulary(info: Info, kind: Kind = None, as_of: AsOf = None) -> list[NameInfo]:
    """Every name that conditions may use, by name."""
    names = ask_of(info, as_of).rulebook.vocabulary.names
    return [one for _name, one in sorted(names.items()) if kind is None or one.kind == kind.value]
