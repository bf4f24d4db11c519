"""What catalog and vocabulary have of one kind, as `catalog list` answers: a row for each entry."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from knockon.catalog.machine import Gpu, Model
from knockon.catalog.names import fold, folded
from knockon.catalog.quantity import Quantity
from knockon.catalog.technique import Technique
from knockon.cli.answers.sources import cell_data, text_data
from knockon.cli.answers.words import Speaker, dim, name, number
from knockon.expr.vocabulary import NameInfo, NameKind
from knockon.formats.base import Column, Page, Paragraph, Table, Words
from knockon.jobs.knowledge import Knowledge
from knockon.terms.words import Json, Text

ListedKind = Literal["models", "gpus", "techniques", "quantities", "facts", "readings"]


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry: what programs see of it, the words of its row, and the words it is found by."""

    data: dict[str, Json]
    row: Callable[[Speaker], Sequence[Words]]
    words: tuple[str, ...]

    def has(self, wanted: Sequence[str]) -> bool:
        """Whether each folded text is in one of its names."""
        names = [folded(one) for one in self.words]
        return all(any(text in one for one in names) for text in wanted)


def listed(knowledge: Knowledge, kind: ListedKind, *, words: str = "") -> list[Listed]:
    """The entries of a kind in the order of their names, those that have each of `words` in one.

    Case, width and dashes do not count, nor does the order of the words.

    Raises:
        LimitExceeded: the words are longer than any name.
    """
    fold(words)
    wanted = [folded(word) for word in words.split()]
    return [one for one in _ENTRIES[kind](knowledge) if one.has(wanted)]


def listed_data(found: Sequence[Listed], kind: ListedKind, knowledge: Knowledge) -> dict[str, Json]:
    """The entries for programs."""
    return {kind: [one.data for one in found], "revision": knowledge.revision}


def listed_page(found: Sequence[Listed], kind: ListedKind, speaker: Speaker) -> Page:
    """The entries in rows; where there is none, that there is none."""
    if not found:
        return Page([Paragraph(speaker.say("nothing of that name", "没有匹配的条目"))])
    titles = _TITLES[kind]
    columns = [Column(speaker.of(title), wraps=index > 0) for index, title in enumerate(titles)]
    count = speaker.say(f"{len(found)} in all", f"共 {len(found)} 项")
    return Page([Table(columns, [one.row(speaker) for one in found]), Paragraph([dim(count)])])


_ALIASES = Text("also called", "别名")
_TITLES: Mapping[ListedKind, tuple[Text, ...]] = {
    "models": (Text("model", "模型"), _ALIASES),
    "gpus": (Text("GPU", "GPU"), Text("name", "名称"), Text("memory", "显存"), _ALIASES),
    "techniques": (Text("technique", "技术"), Text("name", "名称"), Text("home", "归属")),
    "quantities": (Text("quantity", "量"), Text("name", "名称"), Text("of", "所属"), Text("unit", "单位")),
    "facts": (Text("fact", "事实"), Text("takes", "取值"), Text("means", "含义")),
    "readings": (Text("reading", "读数"), Text("takes", "取值"), Text("means", "含义")),
}


def _model(one: Model) -> Listed:
    data: dict[str, Json] = {"name": one.name, "aliases": list(one.aliases), "parameters": one.parameters}
    return Listed(data, lambda _: [[name(one.name)], ", ".join(one.aliases)], (one.name, *one.aliases))


def _gpu(one: Gpu) -> Listed:
    data: dict[str, Json] = {
        "id": one.id,
        "name": one.name,
        "aliases": list(one.aliases),
        "memory_bytes": one.memory_bytes,
        "compute_capability": one.compute_capability or None,
    }
    memory = number(one.memory_bytes, "byte") if one.memory_bytes is not None else "—"
    return Listed(
        data, lambda _: [[name(one.id)], one.name, memory, ", ".join(one.aliases)], (one.id, one.name, *one.aliases)
    )


def _technique(one: Technique) -> Listed:
    data: dict[str, Json] = {
        "id": one.id,
        "name": text_data(one.name),
        "cells": [cell_data(cell) for cell in one.cells],
    }
    aliases = (alias for held in one.aliases.values() for alias in held)
    words = (one.id, one.name.en, one.name.zh, *aliases, *one.former_ids)
    return Listed(data, lambda speaker: [[name(one.id)], speaker.of(one.name), speaker.cell(one.cells[0])], words)


def _quantity(one: Quantity) -> Listed:
    data: dict[str, Json] = {"id": one.id, "name": text_data(one.name), "of": one.of, "unit": one.unit}
    words = (one.id, one.name.en, one.name.zh)
    return Listed(
        data, lambda speaker: [[name(one.id)], speaker.of(one.name), speaker.onto(one.of), str(one.unit)], words
    )


def _named(knowledge: Knowledge, kind: NameKind) -> Iterable[Listed]:
    held = knowledge.rulebook.vocabulary.names
    return (_name_info(one) for _, one in sorted(held.items()) if one.kind == kind)


def _name_info(one: NameInfo) -> Listed:
    data: dict[str, Json] = {
        "name": one.name,
        "type": one.type,
        "unit": str(one.unit) if one.is_numeric else None,
        "options": list(one.options),
        "means": text_data(one.means),
    }
    takes = ", ".join(one.options) or (
        f"{one.type}, {one.unit}" if one.is_numeric and str(one.unit) != "1" else one.type
    )
    words = (one.name, one.means.en, one.means.zh)
    return Listed(data, lambda speaker: [[name(one.name)], takes, speaker.of(one.means)], words)


_ENTRIES: Mapping[ListedKind, Callable[[Knowledge], Iterable[Listed]]] = {
    "models": lambda held: (_model(one) for _, one in sorted(held.catalog.models.items())),
    "gpus": lambda held: (_gpu(one) for _, one in sorted(held.catalog.gpus.items())),
    "techniques": lambda held: (_technique(one) for one in held.catalog.live),
    "quantities": lambda held: (_quantity(one) for _, one in sorted(held.catalog.quantities.items())),
    "facts": lambda held: _named(held, "fact"),
    "readings": lambda held: _named(held, "reading"),
}
