"""The way out: which settings a finding hangs on, and the nearest deployments that pass.

A setting is a fact that somebody wrote (a flag, a variable, a line of a file): it can be changed or dropped. What the
model, the GPU and the engine's defaults say stays as it is.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from knockon.backends.python.walk import judge_one
from knockon.engines import defaults_of
from knockon.expr.condition import condition
from knockon.expr.names import names_in
from knockon.expr.vocabulary import NameInfo
from knockon.jobs.deployment import Deployment, changed
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.verdict import verdict_of
from knockon.rules.couple import Finding, Judgement, has_conflict, judge
from knockon.rules.rule import CoupleRule
from knockon.terms.fact import Fact, values_of
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, Scalar

NEAREST_MAX = 3

# A command has a few dozen settings; past this many the search for the smallest set would be felt.
_SETTINGS_MAX = 60
# Deployments tried in all, each takes about a millisecond; and values of each setting where two are changed at once.
_TRIES_MAX = 60
_PAIRED_VALUES_MAX = 4
_WRITTEN = ("flag", "env", "file", "set")
# Sizes of groups of ranks that machines have.
_GROUP_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
# Naming another one of these is another deployment, not a change to this one.
_IDENTITY = frozenset(
    {
        "engine",
        "engine_version",
        "gpu_count",
        "gpu_memory_bytes",
        "gpu_compute_capability",
        "gpu_name",
        "disaggregation_mode",
    }
)


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting put to another value; `value` None drops it, so that the engine's default holds."""

    name: str
    before: Scalar
    value: Scalar | None


@dataclass(frozen=True, slots=True)
class Nearby:
    """A deployment near the asked one in which nothing conflicts."""

    changes: tuple[SettingChange, ...]
    verdict: CheckVerdict
    deployment: Deployment
    judgement: Judgement


def smallest_conflict(knowledge: Knowledge, deployment: Deployment, finding: Finding) -> tuple[Fact, ...]:
    """The settings without any one of which the finding would go away, by name; empty when no setting matters.

    Found by dropping one setting after the other, those the rule does not name first, and leaving out what is not
    missed.
    """
    named = names_in(finding.rule.when)
    settings = _settings(deployment)
    dropped: set[str] = set()
    for name in sorted(settings, key=lambda one: (one in named, one)):
        if _fires(knowledge, finding.rule, _without(knowledge, deployment, {*dropped, name})):
            dropped.add(name)
    return tuple(settings[name] for name in sorted(settings) if name not in dropped)


def nearest_passing(
    knowledge: Knowledge, deployment: Deployment, conflicts: Sequence[tuple[Finding, tuple[Fact, ...]]]
) -> tuple[Nearby, ...]:
    """At most `NEAREST_MAX` deployments without a conflict.

    Nearest first: fewest settings changed, then the mildest verdict, then the least moved.

    Args:
        knowledge: catalog and rules.
        deployment: the one that conflicts.
        conflicts: each conflict with its smallest set of settings.
    """
    rules = [finding.rule for finding, _ in conflicts]
    names = sorted({fact.name for _, facts in conflicts for fact in facts} - _IDENTITY)
    wishes = {name: tuple(_values(knowledge, deployment, name, conflicts)) for name in names}
    found: list[tuple[tuple[float, ...], Nearby]] = []
    tries = 0
    for count in (1, 2):
        for chosen in combinations(names, count):
            best: tuple[tuple[float, ...], Nearby] | None = None
            kept = None if count == 1 else _PAIRED_VALUES_MAX
            for values in product(*(wishes[name][:kept] for name in chosen)):
                tries += 1
                if tries > _TRIES_MAX:
                    break
                near = _tried(knowledge, deployment, rules, dict(zip(chosen, values, strict=True)))
                if near is not None and (best is None or _cost(near) < best[0]):
                    best = (_cost(near), near)
            if best is not None:
                found.append(best)
        if len(found) >= NEAREST_MAX or (found and count == 1):
            break
    found.sort(key=lambda pair: pair[0])
    return tuple(near for _, near in found[:NEAREST_MAX])


def _settings(deployment: Deployment) -> dict[str, Fact]:
    written = (
        fact for fact in deployment.stated.values() if fact.origin.kind in _WRITTEN and fact.name not in _IDENTITY
    )
    return {fact.name: fact for _, fact in zip(range(_SETTINGS_MAX), written, strict=False)}


def _without(knowledge: Knowledge, deployment: Deployment, names: Iterable[str]) -> Deployment:
    return changed(deployment, {}, knowledge.rulebook.vocabulary, dropped=_back_to_default(deployment, names))


def _back_to_default(deployment: Deployment, names: Iterable[str]) -> dict[str, Fact | None]:
    engine, version = deployment.stated.get("engine"), deployment.stated.get("engine_version")
    defaults = defaults_of(str(engine.value), version=str(version.value) if version else None) if engine else {}
    return {name: defaults.get(name) for name in names}


def _fires(knowledge: Knowledge, rule: CoupleRule, deployment: Deployment) -> bool:
    values = values_of(deployment.facts)
    return judge_one(condition(rule.when_text), values, vocabulary=knowledge.rulebook.vocabulary) is Truth.TRUE


def _tried(
    knowledge: Knowledge, deployment: Deployment, rules: Sequence[CoupleRule], wish: Mapping[str, Scalar | None]
) -> Nearby | None:
    sets = {name: value for name, value in wish.items() if value is not None}
    dropped = _back_to_default(deployment, [name for name, value in wish.items() if value is None])
    after = changed(deployment, sets, knowledge.rulebook.vocabulary, dropped=dropped)
    if any(_fires(knowledge, rule, after) for rule in rules):
        return None
    if has_conflict(knowledge.rulebook, values_of(after.facts)):
        return None
    judgement = judge(knowledge.rulebook, after.facts)
    changes = tuple(SettingChange(name, deployment.stated[name].value, value) for name, value in wish.items())
    return Nearby(changes, verdict_of(judgement, after), after, judgement)


_SEVERITY = {CheckVerdict.FINE: 0, CheckVerdict.NOTE: 0, CheckVerdict.UNKNOWN: 1, CheckVerdict.DEGRADED: 2}


def _cost(near: Nearby) -> tuple[float, ...]:
    return (len(near.changes), _SEVERITY[near.verdict], math.fsum(_distance(change) for change in near.changes))


def _distance(change: SettingChange) -> float:
    """How far a setting moves: doublings of a number, 1 for another word, a little more for dropping it."""
    before, after = change.before, change.value
    if after is None:
        return 1.5
    if isinstance(before, bool) or isinstance(after, bool) or isinstance(before, str) or isinstance(after, str):
        return 1.0
    # Lowering is a little nearer than raising: it asks for nothing that may not be there.
    return abs(math.log2(max(after, 1) / max(before, 1))) + (0.1 if after > before else 0.0)


def _values(
    knowledge: Knowledge,
    deployment: Deployment,
    name: str,
    conflicts: Sequence[tuple[Finding, tuple[Fact, ...]]],
) -> Iterator[Scalar | None]:
    """Other values of one setting worth trying, without repetition; None stands for dropping it."""
    before = deployment.stated[name].value
    info = knowledge.rulebook.vocabulary.get(name)
    offered = [fix.sets[name] for finding, _ in conflicts for fix in finding.fixes if name in fix.sets]
    seen: list[Scalar | None] = [before]
    for value in (*offered, *_others(info, before, deployment), None):
        if value not in seen:
            seen.append(value)
            yield value


def _others(info: NameInfo | None, before: Scalar, deployment: Deployment) -> Iterator[Scalar]:
    if isinstance(before, bool):
        yield not before
    elif isinstance(before, int) and info is not None:
        sizes = _GROUP_SIZES if info.group_or_class == "parallelism" else _lengths(before, deployment)
        yield from (size for size in sizes if (info.minimum or 0) <= size <= (info.maximum or math.inf))
    elif info is not None and isinstance(before, str):
        yield from info.options


def _lengths(before: int, deployment: Deployment) -> Iterator[int]:
    """Neighbours of a count or length: the limits it is held against, halves and doubles."""
    for other in (
        "max_model_len",
        "max_num_seqs",
        "max_num_batched_tokens",
        "max_position_embeddings",
        "longest_that_fits",
    ):
        fact = deployment.facts.get(other)
        if fact is not None and isinstance(fact.value, int) and not isinstance(fact.value, bool):
            yield fact.value
    for factor in (2, 4, 8):
        yield before // factor
        yield before * factor
