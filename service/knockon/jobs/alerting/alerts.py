"""Which diagnose rules the metrics of an engine can decide, and the PromQL that decides them.

A rule's readings are recorded first, under names of their own, and the alert compares the recorded ones. A name that no
metric gives can never hold; a rule that hangs on one is left out, and says why.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from knockon.backends.promql.emit import Emitter
from knockon.backends.promql.terms import within
from knockon.expr.condition import condition
from knockon.expr.given import with_given
from knockon.expr.names import names_in
from knockon.expr.nodes import And, Bool, Compare, CompareOperator, Name, Node, Or
from knockon.expr.normal import normal
from knockon.expr.vocabulary import NameInfo
from knockon.jobs.alerting.trends import READINGS as TRENDS
from knockon.jobs.alerting.trends import rows_of, trend_query
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.literals import assigned_all
from knockon.rules.intake import FIRST_OF, RATIO_SLACK
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.rules.thresholds import values_in_force
from knockon.sources.prometheus.promql import has_metrics, models_query, queries
from knockon.terms.errors import KnockonError, Problem
from knockon.terms.words import RuleId, Scalar

MODELS = "models"
"""How many models a group serves, recorded beside the readings: those of several models say nothing together."""

COMPARED: Mapping[str, tuple[str, str]] = {
    "throughput_below_expectation": ("output_tokens_per_s", "expected_output_tokens_per_s")
}
"""Truths that intake derives: that the first reading is less than the second."""

_LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
# A duration of Prometheus: units from years to milliseconds, each once and in this order, something of one of them.
_WINDOW = re.compile(r"(?=.*[1-9])" + "".join(rf"(?:\d+{unit})?" for unit in ("y", "w", "d", "h", "m", "s", "ms")))


@dataclass(frozen=True, slots=True)
class Scope:
    """What is asked for: one engine's alerts."""

    engine: str
    profile: str = "default"
    by: tuple[str, ...] = ("namespace",)
    """Labels of a group: the readings of one group are judged together, as those of one deployment."""
    window: str = "5m"
    """The range that rates are taken over."""
    sets: tuple[str, ...] = ()
    """`name=value` texts: facts and readings that no metric gives."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One reading as a series of its own."""

    name: str
    expression: str
    metrics: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    """Recorded readings that it is made of."""


@dataclass(frozen=True, slots=True)
class Alert:
    """One rule as PromQL."""

    rule: DiagnoseRule
    expression: str
    leave: str
    """PromQL of the looser condition under which it stays on; empty where there is none."""
    names: frozenset[str]
    """The recorded readings it compares."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A rule that cannot be an alert, and why."""

    rule: DiagnoseRule
    why: str


@dataclass(frozen=True, slots=True)
class Alerts:
    """Everything that is exported for one engine."""

    scope: Scope
    recorded: tuple[Recorded, ...]
    alerts: tuple[Alert, ...]
    left_out: tuple[LeftOut, ...]
    given: Mapping[str, Scalar] = field(default_factory=dict)
    """Thresholds and what was set, by name."""


def series(name: str) -> str:
    """The recorded series of a reading."""
    return f"knockon:{name}"


def alerts_of(knowledge: Knowledge, scope: Scope) -> Alerts:
    """The diagnose rules of `knowledge` as alerts on the metrics of one engine.

    Raises:
        NotFound: unknown profile, or an unknown name in `scope.sets`. IntakeError: a value that cannot be.
        KnockonError: no such engine, a label or a range that PromQL does not know.
    """
    rulebook = knowledge.rulebook
    _check(scope, rulebook)
    given: dict[str, Scalar] = {**values_in_force(rulebook.profiles, scope.profile), **_said(scope, rulebook)}
    available = _available(rulebook, scope)
    alerts: list[Alert] = []
    left_out: list[LeftOut] = []
    for rule in rulebook.diagnose:
        made = _alert(rule, rulebook, scope, given, available)
        if isinstance(made, Alert):
            alerts.append(made)
        else:
            left_out.append(made)
    used = {name for alert in alerts for name in alert.names}
    used |= {name for each in used for name in available[each].rests_on}
    models = models_query(scope.engine, by=scope.by)
    recorded = [Recorded(MODELS, models)] if used and models else []
    # What rests on others comes behind them.
    named = sorted(used, key=lambda name: (bool(available[name].rests_on), [*rulebook.readings].index(name)))
    recorded += [available[name] for name in named]
    return Alerts(scope, tuple(recorded), tuple(alerts), tuple(left_out), given)


def _said(scope: Scope, rulebook: Rulebook) -> dict[str, Scalar]:
    """What `scope.sets` gives, facts and readings alike."""
    found: dict[str, Scalar] = {}
    for kind in ("fact", "reading"):
        texts = [text for text in scope.sets if (_kind_of(text, rulebook) == "reading") == (kind == "reading")]
        found |= {name: value for name, (value, _) in assigned_all(texts, rulebook.vocabulary, kind=kind).items()}
    return found


def _kind_of(text: str, rulebook: Rulebook) -> str:
    info = rulebook.vocabulary.get(text.partition("=")[0].strip())
    return info.kind if info is not None else "fact"


def _check(scope: Scope, rulebook: Rulebook) -> None:
    known = rulebook.vocabulary.info("engine").options
    if not has_metrics(scope.engine):
        what = f"no metrics are known of an engine {scope.engine!r}"
        having = [each for each in known if has_metrics(each)]
        raise KnockonError(Problem("unknown-engine", what, f"one of {', '.join(having)}"))
    for label in scope.by:
        if not _LABEL.fullmatch(label) or label.startswith("__"):
            raise KnockonError(Problem("not-a-label", f"{label!r} is no label", "letters, digits and underscores"))
    if not _WINDOW.fullmatch(scope.window):
        what = f"{scope.window!r} is no range of PromQL"
        raise KnockonError(Problem("not-a-range", what, "a duration of Prometheus: 5m, 1h30m"))


def _available(rulebook: Rulebook, scope: Scope) -> dict[str, Recorded]:
    """The readings that metrics give, each with its query."""
    found: dict[str, Recorded] = {}
    for name, kind in rulebook.readings.items():
        for source in (name, *FIRST_OF.get(name, ())):
            over = rulebook.readings[source].over_replicas
            ways = queries(source, scope.engine, over_replicas=over, by=scope.by, window=scope.window)
            if not ways:
                continue
            info = rulebook.vocabulary.info(kind.name)
            guarded = [_guarded(_of_one_model(way.expression, way.model_label, scope), info) for way in ways]
            metrics = tuple(dict.fromkeys(metric for way in ways for metric in way.metrics))
            found[name] = Recorded(name, "\nor\n".join(guarded), metrics)
            break
    return found | {
        name: Recorded(name, trend_query(name, lambda row: _recorded(row, scope)), (), rows_of(name))
        for name in TRENDS
        if name in rulebook.readings and name not in found and set(rows_of(name)) <= found.keys()
    }


def _recorded(name: str, scope: Scope) -> str:
    return f'{series(name)}{{engine="{scope.engine}"}}'


def _of_one_model(expression: str, model_label: str, scope: Scope) -> str:
    """The reading where its group serves one model; of several models it would be of none."""
    if not model_label or model_label in scope.by:
        return expression
    on = f"on ({', '.join(scope.by)})"
    return f"({expression} and {on} {_recorded(MODELS, scope)} == 1)"


def _guarded(expression: str, info: NameInfo) -> str:
    """Without values that cannot be, as intake has it: sentinels and NaN never reach an alert."""
    if not info.is_numeric:
        return expression
    slack = RATIO_SLACK if info.name.endswith("_ratio") else 0.0
    least = None if info.minimum is None else info.minimum - slack
    most = None if info.maximum is None else info.maximum + slack
    return within(f"({expression})", least, most, above=info.above)


def _alert(
    rule: DiagnoseRule,
    rulebook: Rulebook,
    scope: Scope,
    given: Mapping[str, Scalar],
    available: Mapping[str, Recorded],
) -> Alert | LeftOut:
    wanted = _expanded(with_given(condition(rule.when_text), given, rulebook.vocabulary), rulebook, given, available)
    if isinstance(wanted, Bool):
        return LeftOut(rule, f"with what was set its condition is always {str(wanted.value).lower()}")
    held = _decidable(wanted, available)
    if held is None:
        return LeftOut(rule, _why_not(wanted, rulebook, scope, available))
    leave = _leave(rule, rulebook, given, available)
    names = names_in(held) | (names_in(leave) if leave is not None else frozenset())
    texts = [_written(node, rulebook, scope) if node is not None else "" for node in (held, leave)]
    return Alert(rule, texts[0], texts[1], names)


def _leave(
    rule: DiagnoseRule, rulebook: Rulebook, given: Mapping[str, Scalar], available: Mapping[str, Recorded]
) -> Node | None:
    if not rule.leave_text:
        return None
    known = with_given(condition(rule.leave_text), given, rulebook.vocabulary)
    node = _decidable(_expanded(known, rulebook, given, available), available)
    return None if isinstance(node, Bool) else node


def _written(node: Node, rulebook: Rulebook, scope: Scope) -> str:
    # Units are gone from the node, so it is not checked again; curation has checked what it came from.
    return Emitter(lambda name: _recorded(name, scope), rulebook.vocabulary).holds(node)


def _expanded(node: Node, rulebook: Rulebook, given: Mapping[str, Scalar], available: Mapping[str, Recorded]) -> Node:
    """`node` with derived truths that no metric gives replaced by what they compare."""
    match node:
        case Name(id=name) if name in COMPARED and name not in available:
            return with_given(_compared("<", name), given, rulebook.vocabulary)
        case Compare(operator="==", left=Name(id=name), right=Bool(value=False)) if name in COMPARED:
            return with_given(_compared(">=", name), given, rulebook.vocabulary)
        case And(items=items) | Or(items=items):
            return normal(type(node)(tuple(_expanded(item, rulebook, given, available) for item in items)))
        case _:
            return node


def _compared(operator: CompareOperator, name: str) -> Compare:
    less, more = COMPARED[name]
    return Compare(operator, Name(less), Name(more))


def _decidable(node: Node, available: Mapping[str, Recorded]) -> Node | None:
    """What of `node` can hold at all when the names without a metric are unknown; None when nothing can."""
    match node:
        case And(items=items):
            kept = [_decidable(item, available) for item in items]
            return None if None in kept else node if tuple(kept) == items else And(tuple(_present(kept)))
        case Or(items=items):
            some = tuple(_present([_decidable(item, available) for item in items]))
            return None if not some else some[0] if len(some) == 1 else Or(some)
        case _:
            return node if names_in(node) <= available.keys() else None


def _present(nodes: Sequence[Node | None]) -> Iterator[Node]:
    return (node for node in nodes if node is not None)


def _why_not(node: Node, rulebook: Rulebook, scope: Scope, available: Mapping[str, Recorded]) -> str:
    lacking = sorted(names_in(node) - available.keys())
    by = f" by {', '.join(scope.by)}" if scope.by else ""
    kinds = {name: "fact" if rulebook.vocabulary.info(name).kind == "fact" else "reading" for name in lacking}
    listed = ", ".join(f"the {kinds[name]} {name}" for name in lacking)
    return f"no metric of {scope.engine}{by} gives {listed}; --set gives it a value"


def outranked(alerts: Alerts) -> Iterator[tuple[RuleId, tuple[RuleId, ...]]]:
    """Each exported rule that overrules others of them, with those."""
    exported = {alert.rule.id for alert in alerts.alerts}
    for alert in alerts.alerts:
        under = tuple(rule for rule in alert.rule.outranks if rule in exported)
        if under:
            yield alert.rule.id, under
