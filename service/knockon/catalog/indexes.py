"""The catalog's look-up tables, each made when a question first needs it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from knockon.catalog.cell import Cell
from knockon.catalog.machine import Gpu, Model
from knockon.catalog.names import NameIndex, fold
from knockon.catalog.said import is_setting
from knockon.catalog.stems import stem, words_of
from knockon.catalog.symptom import Phrases, Symptom, phrases_of
from knockon.catalog.technique import Relation, Shift, Technique
from knockon.terms.words import Change, Effect, QuantityId, TechniqueId

_Key = TypeVar("_Key")
_Item = TypeVar("_Item")

# Techniques in whose names a stem may be said, where a form of it alone still names one of them: a tensor is
# of 30 in the shipped catalog.
_SAID_IN_MAX = 20
# What is done goes by every form of its verb, however many do it: quantised is quantization.
_DOING = ("ation", "ing")


@dataclass(frozen=True, slots=True)
class ShiftOf:
    """A shift together with the technique it belongs to."""

    technique: TechniqueId
    shift: Shift


@dataclass(frozen=True, slots=True)
class GainOf:
    """A gain together with the technique it belongs to, and the stages of that."""

    technique: TechniqueId
    shift: Shift
    stages: frozenset[str]


@dataclass(frozen=True, slots=True)
class RelationOf:
    """A relation together with the technique that states it."""

    technique: TechniqueId
    relation: Relation


class Indexes:
    """Look-up tables over the live techniques; all lists are sorted by technique id."""

    def __init__(
        self,
        techniques: Mapping[TechniqueId, Technique],
        models: Mapping[str, Model],
        gpus: Mapping[str, Gpu],
        symptoms: Mapping[str, Symptom],
    ) -> None:
        """Nothing is made yet."""
        self._techniques = techniques
        self._models = models
        self._gpus = gpus
        self._symptoms = symptoms

    @cached_property
    def _live(self) -> tuple[Technique, ...]:
        return tuple(one for one in self._techniques.values() if one.tombstone is None)

    @cached_property
    def by_cell(self) -> Mapping[Cell, tuple[TechniqueId, ...]]:
        """Techniques by each of their cells."""
        return _grouped((cell, one.id) for one in self._live for cell in one.cells)

    @cached_property
    def by_stage(self) -> Mapping[str, tuple[TechniqueId, ...]]:
        """Techniques by the stages of their cells."""
        return _grouped((cell.stage, one.id) for one in self._live for cell in one.cells)

    @cached_property
    def by_layer(self) -> Mapping[str, tuple[TechniqueId, ...]]:
        """Techniques by the layers of their cells."""
        return _grouped((cell.layer, one.id) for one in self._live for cell in one.cells)

    @cached_property
    def by_dimension(self) -> Mapping[str, tuple[TechniqueId, ...]]:
        """Techniques by the dimensions of their cells."""
        return _grouped((cell.dimension, one.id) for one in self._live for cell in one.cells)

    @cached_property
    def by_mechanism(self) -> Mapping[str, tuple[TechniqueId, ...]]:
        """Techniques by their mechanism."""
        return _grouped((one.mechanism, one.id) for one in self._live)

    @cached_property
    def shifts_on(self) -> Mapping[QuantityId, tuple[ShiftOf, ...]]:
        """Shifts by the quantity they move."""
        return _grouped((shift.quantity, ShiftOf(one.id, shift)) for one in self._live for shift in one.shifts)

    @cached_property
    def gains_lost_by(self) -> Mapping[tuple[QuantityId, int], tuple[GainOf, ...]]:
        """Gains by the move that eats them: the quantity they move, and +1 where they bring it down, -1 where up."""
        return _grouped(
            ((shift.quantity, 1 if shift.change is Change.DOWN else -1), GainOf(one.id, shift, one.stages))
            for one in self._live
            for shift in one.shifts
            if shift.effect is Effect.GAIN
        )

    @cached_property
    def relations_to(self) -> Mapping[TechniqueId, tuple[RelationOf, ...]]:
        """Relations by the technique they lead to."""
        return _grouped((relation.to, RelationOf(one.id, relation)) for one in self._live for relation in one.relations)

    @cached_property
    def technique_names(self) -> NameIndex:
        """Techniques by every name they go by."""
        return NameIndex.of(_technique_names(self._techniques))

    @cached_property
    def technique_forms(self) -> Mapping[str, frozenset[TechniqueId]]:
        """Live techniques by the stems of their names, so that the forms of a word need not all be aliases.

        Options and keys are left out: `pin_memory` is not what "pinned memory" names. So is what no other form means:
        a name of one word that somebody coined (BASS is no form of "base"), or a thing whose stem is said in the names
        of many ("tensorizer" has that of "tensor").
        """
        names = [(one.id, name) for one in self._live for _id, name in _names_of(one) if not is_setting(name)]
        stems = [tuple(map(stem, words_of(name))) for _id, name in names]
        said_in = Counter(
            one for _id, one in {(key, one) for (key, _), said in zip(names, stems, strict=True) for one in said}
        )
        forms: dict[str, set[TechniqueId]] = {}
        for (key, name), said in zip(names, stems, strict=True):
            is_told = len(said) > 1 or not name.isascii() or name.endswith(_DOING)
            if is_told or (name.islower() and said_in[said[0]] <= _SAID_IN_MAX):
                forms.setdefault("".join(said), set()).add(key)
        return {form: frozenset(held) for form, held in forms.items()}

    @cached_property
    def model_names(self) -> NameIndex:
        """Models by repository and alias."""
        models = self._models.values()
        return NameIndex.of((one.name, name) for one in models for name in (one.name, *one.aliases))

    @cached_property
    def model_basenames(self) -> NameIndex:
        """Models by their name without its owner."""
        return NameIndex.of((one.name, one.basename) for one in self._models.values())

    @cached_property
    def gpu_names(self) -> NameIndex:
        """GPUs by id, name and alias."""
        gpus = self._gpus.values()
        return NameIndex.of((one.id, name) for one in gpus for name in (one.id, one.name, *one.aliases))

    @cached_property
    def phrases(self) -> Phrases:
        """Every way to say every symptom."""
        return phrases_of(symptom for symptom in self._symptoms.values() if not symptom.of)


def _technique_names(techniques: Mapping[TechniqueId, Technique]) -> Iterable[tuple[str, str]]:
    """Every name, ids first, so that suggestions show ids; a removed technique keeps what no live one is called."""
    live = [name for one in techniques.values() if one.tombstone is None for name in _names_of(one)]
    taken = {fold(name) for _id, name in live}
    removed = [name for one in techniques.values() if one.tombstone is not None for name in _names_of(one)]
    yield from ((key, name) for key, name in live if key == name)
    yield from ((key, name) for key, name in live if key != name and TechniqueId(name) not in techniques)
    yield from ((key, name) for key, name in removed if fold(name) not in taken)


def _names_of(one: Technique) -> Iterable[tuple[str, str]]:
    yield one.id, one.id
    for aliases in one.aliases.values():
        yield from ((one.id, alias) for alias in aliases)
    yield from ((one.id, former) for former in one.former_ids)
    yield from ((one.id, name) for name in (one.name.en, one.name.zh) if name)


def _grouped(pairs: Iterable[tuple[_Key, _Item]]) -> Mapping[_Key, tuple[_Item, ...]]:
    """The items by key, each once, in the order they come."""
    groups: dict[_Key, list[_Item]] = {}
    for key, item in pairs:
        items = groups.setdefault(key, [])
        # Repeats come from one technique and so stand side by side: one that spans two layers has its stage twice.
        if not items or items[-1] != item:
            items.append(item)
    return {key: tuple(items) for key, items in groups.items()}
