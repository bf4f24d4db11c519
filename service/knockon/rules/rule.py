"""One rule: when it fires, what it says, why, what to do. Couple rules judge facts, diagnose rules readings."""

from collections.abc import Mapping
from dataclasses import dataclass

from knockon.expr.condition import parsed
from knockon.expr.nodes import Node
from knockon.terms.citation import Cite
from knockon.terms.words import CheckVerdict, QuantityId, RuleId, Scalar, TechniqueId, Text, WallId


@dataclass(frozen=True, slots=True)
class Example:
    """A case shipped with the rule: these values, and whether it then fires, stays silent, or cannot tell."""

    name: str
    given: Mapping[str, Scalar]
    expect: str
    """"fires", "silent" or "unknown"."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: a name, the expression that gives it, and a sentence."""

    name: str
    value_text: str
    unit: str
    says: Text

    @property
    def value(self) -> Node:
        """The expression that gives the value."""
        return parsed(self.value_text)


@dataclass(frozen=True, slots=True)
class RuleShift:
    """Where the cost lands when the rule fires; `factor` is computed on the facts (0.5 = halved)."""

    gains: str
    onto: str
    quantity: QuantityId
    factor_text: str
    """Empty where the rule does not say how much."""

    @property
    def factor(self) -> Node | None:
        """The expression of the factor; None where the rule does not say how much."""
        return parsed(self.factor_text) if self.factor_text else None


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that takes the finding away, with the price it has elsewhere."""

    says: Text
    technique: TechniqueId | None
    set_texts: Mapping[str, str]
    """Fact name → expression for its new value."""
    range_texts: tuple[str, str] | None
    """Valid range of the one fact that is set, both ends as expressions."""
    knock_on: tuple[Text, ...]
    when_text: str = ""
    """Offered only then; empty means always."""

    @property
    def sets(self) -> Mapping[str, Node]:
        """Fact name → expression for its new value."""
        return {name: parsed(text) for name, text in self.set_texts.items()}

    @property
    def range(self) -> tuple[Node, Node] | None:
        """Valid range of the one fact that is set."""
        return (parsed(self.range_texts[0]), parsed(self.range_texts[1])) if self.range_texts else None

    @property
    def when(self) -> Node | None:
        """Offered only then; None means always."""
        return parsed(self.when_text) if self.when_text else None


@dataclass(frozen=True, slots=True)
class CoupleRule:
    """A rule about techniques together, judged on the facts of a deployment."""

    id: RuleId
    name: Text
    verdict: CheckVerdict
    when_text: str
    says: Text
    """May hold `{name}` and `{name:bytes}` fields, filled from facts and derivation steps."""
    because: tuple[TechniqueId, ...]
    derive: tuple[Step, ...]
    shifts: tuple[RuleShift, ...]
    fixes: tuple[Fix, ...]
    cite: tuple[Cite, ...]
    examples: tuple[Example, ...]
    asked_with: tuple[str, ...] = ()
    """Facts without which the rule is not asked at all (a GPU's memory for a question of fit)."""
    remarks: tuple[Text, ...] = ()
    read_in: str = ""
    """The release its source was read in, where its bound on `engine_version` says no more than that."""
    checked: str = ""
    """ISO day on which its sources were last looked at."""

    @property
    def when(self) -> Node:
        """The condition, as written."""
        return parsed(self.when_text)


@dataclass(frozen=True, slots=True)
class DiagnoseRule:
    """A rule about one wall, judged on readings and thresholds."""

    id: RuleId
    name: Text
    kind: str
    """What is the matter, as a slug that never changes: "kv-pool-thrash"; programs branch on it."""
    wall: WallId
    layer: str
    dimension: str
    when_text: str
    says: Text
    observes: tuple[str, ...]
    """The two (or more) readings the verdict rests on; one that `when` does not mention only supports."""
    support_texts: tuple[str, ...]
    """Further evidence for, each checked and listed."""
    against_texts: tuple[str, ...]
    """Evidence against."""
    outranks: tuple[RuleId, ...]
    """Rules whose reading of the same symptoms this one overrules when both fire."""
    confidence: float
    """0..1 when all that it observes was measured, before input quality lowers it."""
    confirm: Text
    """The experiment that would confirm or refute it."""
    advice: tuple[Text, ...]
    cite: tuple[Cite, ...]
    examples: tuple[Example, ...]
    refute: Text | None = None
    """The outcome of that experiment which would refute it."""
    invalidates: tuple[str, ...] = ()
    """Readings that are not to be trusted once the rule fires; such a rule is judged before all others."""
    told_apart_by: tuple[str, ...] = ()
    """Readings or facts that tell its wall from the others that give the same symptom; where none of them is known, the
    rule is a suspicion, however clear the symptom."""
    gives_way: bool = False
    """Whether it is a suspicion as soon as another rule speaks: it knows only what others knew of like reports."""
    asked_with: tuple[str, ...] = ()
    """Readings without which the rule is not asked at all: those of an experiment or a log that few people have."""
    leave_text: str = ""
    """Over time: once the rule fires it stays on while this looser condition holds; empty means while `when` holds."""
    for_s: float = 0.0
    """Over time: seconds that `when` must hold before the rule fires."""
    keep_firing_for_s: float = 0.0
    """Over time: seconds that the rule stays on after its condition ended."""
    checked: str = ""
    """ISO day on which its sources were last looked at."""

    @property
    def when(self) -> Node:
        """The condition, as written."""
        return parsed(self.when_text)

    @property
    def leave(self) -> Node | None:
        """The condition under which a firing rule stays on; None where it is `when` itself."""
        return parsed(self.leave_text) if self.leave_text else None

    @property
    def supports(self) -> tuple[Node, ...]:
        """Further evidence for."""
        return tuple(parsed(text) for text in self.support_texts)

    @property
    def against(self) -> tuple[Node, ...]:
        """Evidence against."""
        return tuple(parsed(text) for text in self.against_texts)


Rule = CoupleRule | DiagnoseRule
