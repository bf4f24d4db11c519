"""Quantities: what rises or falls, and how they pull on one another."""

from typing import Annotated, Any

import strawberry

from knockon.api.context import Info, count_link, knowledge_of
from knockon.api.shape import field, nonempty, shows
from knockon.api.types.source import SOURCES, STALE, STALE_FROM, Source, is_stale, sources_of, stale_from
from knockon.api.types.technique import INFERRED, WHEN, ShiftOf
from knockon.api.types.words import Text
from knockon.catalog import quantity
from knockon.terms.words import Change

QuantityType = Annotated["Quantity", strawberry.lazy("knockon.api.types.quantity")]


def _on(root: quantity.Influence, info: Info) -> quantity.Quantity:
    count_link(info)
    return knowledge_of(info).catalog.quantity(root.on)


def _change(root: quantity.Influence) -> str:
    return "up" if root.sign > 0 else "down"


@shows(quantity.Influence)
class Influence:
    """When the owning quantity rises, another one moves."""

    on: QuantityType = field("The other quantity.", resolver=_on)
    change: Change = field("Which way it moves when the owning quantity rises.", resolver=_change)
    says: Text = field("The influence in words.")
    stages: list[str] = field("Stages of the work in which it holds; empty for any.")
    when: str | None = field(WHEN, resolver=nonempty("when_text"))
    inferred: bool = field(INFERRED)
    stale: bool = field(STALE, resolver=is_stale)
    stale_from: str = field(STALE_FROM, resolver=stale_from)
    sources: list[Source] = field(SOURCES, resolver=sources_of)


def _shifted_by(root: quantity.Quantity, info: Info) -> Any:
    found = knowledge_of(info).catalog.indexes.shifts_on.get(root.id, ())
    count_link(info, len(found))
    return found


@shows(quantity.Quantity)
class Quantity:
    """A thing that can rise or fall."""

    id: strawberry.ID = field("Id: `kv_cache_tokens`.")
    name: Text = field("Name.")
    of: str = field("The dimension or burden it belongs to.")
    unit: str = field("Its unit; 1 for a plain number.")
    better: Change = field("The direction an operator wants.")
    means: Text = field("What it is.")
    influences: list[Influence] = field("What it pulls along when it rises.")
    shifted_by: list[ShiftOf] = field("The techniques that move it, by id.", resolver=_shifted_by)
