"""Techniques: nodes at coordinates, with the shifts that say where their cost lands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knockon.catalog.cell import Cell
from knockon.expr.condition import condition, parsed
from knockon.expr.nodes import Node
from knockon.terms.citation import Cite
from knockon.terms.words import Change, Effect, QuantityId, TechniqueId, Text


@dataclass(frozen=True, slots=True)
class Size:
    """How much, as the source says it: a number with unit, or a factor on the quantity; always with its conditions."""

    text: Text
    factor: float | None = None
    value: float | None = None
    unit: str = ""
    measured_on: str = ""
    """Hardware, model, engine version and date of the measurement, where it is one."""
    basis: str = ""
    """What it rests on where nobody measured it.

    `arithmetic`: counts and widths. `stated`: a product, a rule or advice sets it. `example`: the source made it up.
    """


@dataclass(frozen=True, slots=True)
class Shift:
    """An edge technique → dimension or burden through a quantity: gains here, or pays there."""

    effect: Effect
    onto: str
    """A dimension of axes.yaml or a burden."""
    quantity: QuantityId
    change: Change
    """Which way the quantity moves when the technique is on."""
    says: Text
    cite: tuple[Cite, ...]
    when_text: str = ""
    size: Size | None = None
    inferred: bool = False
    """True when the source implies the shift but does not state it."""

    @property
    def when(self) -> Node | None:
        """Only then; None means always."""
        return condition(self.when_text) if self.when_text else None


@dataclass(frozen=True, slots=True)
class Need:
    """What a technique assumes."""

    says: Text
    cite: tuple[Cite, ...]
    when_text: str = ""
    inferred: bool = False

    @property
    def when(self) -> Node | None:
        """Must be TRUE for the technique to work; None when the language cannot check it."""
        return condition(self.when_text) if self.when_text else None


@dataclass(frozen=True, slots=True)
class Relation:
    """How this technique stands to another.

    Kinds: requires, conflicts, degrades, mitigates, amplifies, supersedes, contrasts; combines (works together with
    it), joins (is made of it, and of what else it joins).
    """

    kind: str
    to: TechniqueId
    says: Text
    cite: tuple[Cite, ...]
    when_text: str = ""
    inferred: bool = False

    @property
    def when(self) -> Node | None:
        """Only then; None means always."""
        return condition(self.when_text) if self.when_text else None


@dataclass(frozen=True, slots=True)
class Switch:
    """How an engine turns the technique on."""

    engine: str
    switch: str
    since: str = ""
    """First engine version that has it; empty when not looked up."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Why a technique was removed, and what stands in its place."""

    reason: Text
    replacement: TechniqueId | None


@dataclass(frozen=True, slots=True)
class Technique:
    """One optimization. `cells[0]` is its home."""

    id: TechniqueId
    name: Text
    aliases: Mapping[str, tuple[str, ...]]
    """By language ("en", "zh"), as people type them, flags included."""
    cells: tuple[Cell, ...]
    mechanism: str
    """Kebab slug; same cell and same mechanism makes two techniques replacements of one another."""
    summary: Text
    goal: Text
    """One clause: what people use it for."""
    adds_devices: bool | None
    """Whether turning it on takes more devices; None where that question has no sense."""
    shifts: tuple[Shift, ...]
    needs: tuple[Need, ...]
    relations: tuple[Relation, ...]
    switches: tuple[Switch, ...]
    cite: tuple[Cite, ...]
    detect_text: str = ""
    enable_texts: Mapping[str, str] = field(default_factory=dict)
    """Fact name → expression for the value that turns it on; empty where no setting of one deployment does."""
    former_ids: tuple[str, ...] = ()
    tombstone: Tombstone | None = None
    summary_inferred: bool = False
    """Whether the summary says more of the mechanism than the sources do as far as they were looked at."""

    @property
    def detect(self) -> Node | None:
        """TRUE on the facts of a deployment that uses it; None where a deployment does not show it."""
        return condition(self.detect_text) if self.detect_text else None

    @property
    def enable(self) -> Mapping[str, Node]:
        """Fact name → expression for the value that turns it on."""
        return {name: parsed(text) for name, text in self.enable_texts.items()}

    @property
    def stages(self) -> frozenset[str]:
        """The stages of its cells: the work that it takes part in."""
        return frozenset(cell.stage for cell in self.cells)

    def shifts_of(self, effect: Effect) -> tuple[Shift, ...]:
        """Its gains, or its costs, in the order of the catalog."""
        return tuple(shift for shift in self.shifts if shift.effect is effect)
