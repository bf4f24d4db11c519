"""The operator gate: whether single operators may be tuned now, and why."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from knockon.backends.python.reasons import evidence, lacking
from knockon.rules.fill import filled, shown
from knockon.rules.rule import DiagnoseRule
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar, Text

# The rule that is the gate. Other rules of the kernel wall name single kernels; they do not open it.
GATE_KIND = "operator-gate"


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether operators may be tuned now, and why."""

    open: bool
    why: Text


def gate_of(
    judged: Sequence[tuple[DiagnoseRule, Truth]], overruled: AbstractSet[RuleId], values: Mapping[str, Scalar]
) -> Gate:
    """The gate as its rule among `judged` says, unless that rule is among those `overruled`."""
    found = next(((rule, truth) for rule, truth in judged if rule.kind == GATE_KIND), None)
    if found is None:
        return Gate(False, Text("no rule guards the operator gate", "没有规则守护算子闸门"))
    rule, truth = found
    if truth is Truth.UNKNOWN:
        needs = ", ".join(lacking(rule.when, values))
        return Gate(False, Text(f"closed: cannot tell, needs {needs}", f"关闭：无法判断，需要 {needs}"))
    if truth is Truth.TRUE and rule.id in overruled:
        return Gate(False, Text("closed: another wall explains the readings", "关闭：已有其他瓶颈解释这些读数"))
    if truth is Truth.TRUE:
        return Gate(True, filled(rule.says, values))
    failed = [atom for atom in evidence(rule.when, values) if atom.truth is Truth.FALSE]
    said = [(atom.text, ", ".join(f"{name} = {shown(value)}" for name, value in atom.seen.items())) for atom in failed]
    return Gate(
        False,
        Text(
            "closed: " + "; ".join(f"{text} does not hold ({seen})" for text, seen in said),
            "关闭：" + "；".join(f"{text} 不成立（{seen}）" for text, seen in said),
        ),
    )
