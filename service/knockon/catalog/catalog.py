"""The catalog as one immutable value, with every index the questions need made once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from knockon.catalog.cell import Axes, Cell, CellNote
from knockon.catalog.feedback import Loop, shortest_loops
from knockon.catalog.fitting import best_of, fitting
from knockon.catalog.indexes import Indexes
from knockon.catalog.kin import kin_of
from knockon.catalog.machine import Gpu, Model, gpus_matching
from knockon.catalog.names import NameIndex, fold
from knockon.catalog.nickname import models_called
from knockon.catalog.quantity import Quantity
from knockon.catalog.said import Said, said_of
from knockon.catalog.source import Source
from knockon.catalog.stems import stems_of
from knockon.catalog.symptom import Symptom
from knockon.catalog.technique import Need, Technique
from knockon.expr.condition import names_of, words_of
from knockon.terms.age import source_stale_from
from knockon.terms.citation import Citation, Cite
from knockon.terms.errors import NotFound
from knockon.terms.limits import SUGGESTIONS_MAX
from knockon.terms.words import CitationId, QuantityId, TechniqueId

# Shorter stems are abbreviations, and those mean something else with every letter.
_FORM_MIN = 5
# A technique that fits some words less well is no guess at what they name: below it, one of two words that have nothing
# to do with models is enough (tests/catalog/test_names.py counts how often).
_MEANT_MIN = 60.0
# Nor is one that fits them much less well than another does: it has a common word of them.
_MEANT_OF_BEST_MIN = 0.8


@dataclass(frozen=True, slots=True)
class NeedOf:
    """A need that a condition states, together with the technique that has it."""

    technique: TechniqueId
    need: Need

    def names(self, name: str) -> bool:
        """Whether its condition mentions a name."""
        return name in names_of(self.need.when_text)


@dataclass(frozen=True)
class Catalog:
    """One state of the catalog. Not slotted: what only some questions need is worked out when first asked for."""

    techniques: Mapping[TechniqueId, Technique]
    """By id, sorted; removed ones with their tombstone among them."""
    quantities: Mapping[QuantityId, Quantity]
    axes: Axes
    citations: Mapping[CitationId, Citation]
    models: Mapping[str, Model]
    gpus: Mapping[str, Gpu]
    notes: tuple[CellNote, ...]
    symptoms: Mapping[str, Symptom]
    may_detect: tuple[TechniqueId, ...]
    """The techniques that may say how to tell that a deployment uses them, by id; all that do are among them."""

    @cached_property
    def indexes(self) -> Indexes:
        """Look-up tables over the live techniques."""
        return Indexes(self.techniques, self.models, self.gpus, self.symptoms)

    @cached_property
    def live(self) -> tuple[Technique, ...]:
        """Every technique that was not removed, by id."""
        return tuple(technique for technique in self.techniques.values() if technique.tombstone is None)

    @cached_property
    def said(self) -> Said:
        """What is said of every live technique, for searching."""
        return said_of(self.live)

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """The shortest feedback loop through each influence between quantities."""
        return shortest_loops(self.quantities)

    @cached_property
    def _needs_by_word(self) -> Mapping[str, tuple[NeedOf, ...]]:
        """Needs by every word of their condition: more than its names, but no condition has to be parsed for it."""
        found: dict[str, list[NeedOf]] = {}
        for technique in self.live:
            for need in technique.needs:
                for word in words_of(need.when_text):
                    found.setdefault(word, []).append(NeedOf(technique.id, need))
        return {word: tuple(needs) for word, needs in found.items()}

    def needs_naming(self, names: Iterable[str]) -> tuple[NeedOf, ...]:
        """The needs of live techniques whose condition mentions any of `names`, each once, by name, then technique."""
        found = (held for name in sorted(names) for held in self._needs_by_word.get(name, ()) if held.names(name))
        return tuple({id(held): held for held in found}.values())

    def technique(self, name: str) -> Technique:
        """The technique that goes by an id, an alias in any language, or a former id.

        A removed technique is found too; its `tombstone` says why it went and what stands in its place.

        Raises:
            NotFound: nothing, or more than one technique, goes by that name; `suggestions` are ids then.
        """
        exact = self.techniques.get(TechniqueId(name))
        if exact is not None:
            return exact
        found = self.indexes.technique_names.find(name) or self.called_alike(name)
        return self.techniques[TechniqueId(_the_one("technique", name, found, self.nearest_techniques))]

    def called_alike(self, name: str) -> tuple[TechniqueId, ...]:
        """The one live technique with a name in other forms of the same words; empty where that leaves a choice."""
        form = stems_of(name)
        found = self.indexes.technique_forms.get(form, frozenset()) if len(form) >= _FORM_MIN else frozenset()
        return tuple(found) if len(found) == 1 else ()

    def nearest_techniques(self, name: str) -> tuple[str, ...]:
        """What may be meant where no technique goes by `name`: names spelled like it, else ids that its words fit."""
        if near := self.indexes.technique_names.nearest(name):
            return near
        hits = best_of(hit for hit in fitting(self.said, name) if hit.score >= _MEANT_MIN)
        return tuple(hit.technique for hit in hits[:SUGGESTIONS_MAX] if hit.score >= hits[0].score * _MEANT_OF_BEST_MIN)

    def techniques_in(self, cell: Cell) -> tuple[Technique, ...]:
        """The live techniques that occupy a cell, home or not, by id."""
        return tuple(self.techniques[key] for key in self.indexes.by_cell.get(cell, ()))

    def quantity(self, name: str) -> Quantity:
        """The quantity of that id.

        Raises:
            NotFound: there is none.
        """
        found = self.quantities.get(QuantityId(name))
        if found is None:
            names = NameIndex.of((key, key) for key in self.quantities)
            raise NotFound("quantity", name, suggestions=names.nearest(name))
        return found

    def citation(self, ref: str) -> Citation:
        """The citation of that id.

        Raises:
            NotFound: there is none.
        """
        found = self.citations.get(CitationId(ref))
        if found is None:
            names = NameIndex.of((key, key) for key in self.citations)
            raise NotFound("citation", ref, suggestions=names.nearest(ref))
        return found

    def sources(self, cites: Iterable[Cite]) -> tuple[Source, ...]:
        """The sources the pointers lead to, each once, in order.

        Raises:
            NotFound: a pointer leads nowhere.
        """
        return tuple(dict.fromkeys(Source(self.citation(cite.ref), cite.where) for cite in cites))

    def stale_from(self, cites: Iterable[Cite]) -> str:
        """The first ISO day on which a claim with these sources is stale: it rests on the newest of them."""
        held = (self.citation(cite.ref) for cite in cites)
        return max((source_stale_from(one.kind, one.checked) for one in held), default="")

    def model(self, name: str) -> Model:
        """The model of that repository id or alias, or of that name without owner where only one model has it.

        Raises:
            NotFound: no model, or more than one, goes by that name.
        """
        exact = self.models.get(name)
        if exact is not None:
            return exact
        found = self.indexes.model_names.find(name) or self.indexes.model_basenames.find(name)
        return self.models[_the_one("model", name, found, self.indexes.model_names.nearest)]

    def kin(self, name: str) -> tuple[tuple[Model, ...], bool]:
        """The models that share their shape with an unknown one, and whether only the storage of weights differs."""
        return kin_of(name, self.models.values())

    def models_called(self, name: str) -> tuple[Model, ...]:
        """The models that a short name such as "Qwen3-235B" leaves open."""
        return models_called(name, self.models.values())

    def gpu(self, name: str) -> Gpu:
        """The GPU of that id, name, alias, or with all the words of `name`: "H200", "NVIDIA H100 80GB HBM3".

        Raises:
            NotFound: no GPU, or more than one, goes by that name.
        """
        found = tuple(gpu.id for gpu in self.gpus_named(name))
        return self.gpus[_the_one("gpu", name, found, self.indexes.gpu_names.nearest)]

    def gpus_named(self, name: str) -> tuple[Gpu, ...]:
        """All GPUs that `name` may mean, by id: "V100" fits two; empty when none goes by that name."""
        found = self.indexes.gpu_names.find(name)
        if found:
            return tuple(self.gpus[key] for key in found)
        return gpus_matching(name, self.gpus.values())

    def names_technique(self, name: str) -> bool:
        """Whether a technique, or several, go by that name."""
        return TechniqueId(name) in self.techniques or bool(self.indexes.technique_names.find(name))


def _the_one(kind: str, name: str, found: tuple[str, ...], nearest: Callable[[str], tuple[str, ...]]) -> str:
    """The only candidate; otherwise says which candidates or which similar names there are."""
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFound(kind, name, suggestions=found, fix="the name fits each of these; say which one")
    if not fold(name):
        raise NotFound(kind, name, fix="give a name")
    raise NotFound(kind, name, suggestions=nearest(name))
