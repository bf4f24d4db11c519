"""The way out: which settings a finding hangs on, and the nearest deployments that pass.

A setting is a fact that somebody wrote (a flag, a variable, a line of a file): it can be changed or dropped. What the
model, the GPU and the engine's defaults say stays as it is.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from knockon.expr.names import names_in
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.jobs.deployment import Deployment
from knockon.jobs.tries import Tries, Try
from knockon.rules.couple import Finding
from knockon.terms.fact import Fact
from knockon.terms.words import CheckVerdict, Scalar

NEAREST_MAX = 3

# A command has a few dozen settings; past this many the search for the smallest set would be felt.
_SETTINGS_MAX = 60
# Deployments tried in all, each takes up to a millisecond; and values of each setting where two are changed at once.
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


# Settings changed, severity of the verdict, how far they move: less is nearer.
_Cost = tuple[int, int, float]


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
    tried: Try


def smallest_conflict(tries: Tries, deployment: Deployment, finding: Finding) -> tuple[Fact, ...]:
    """The settings without any one of which the finding would go away, by name; empty when no setting matters.

    Found by dropping one setting after the other, those the rule does not name first and at once, and leaving out what
    is not missed.
    """
    named = names_in(finding.rule.when)
    settings = _settings(deployment)
    others = settings.keys() - named

    def needed(dropped: set[str]) -> set[str]:
        """What is left of the settings when one after the other is dropped beside these."""
        for name in sorted(settings.keys() - dropped, key=lambda one: (one in named, one)):
            if tries.with_settings(dict.fromkeys((*dropped, name))).fires(finding.rule):
                dropped.add(name)
        return settings.keys() - dropped

    # Most rules hang on what they name alone; then one try settles all the rest. Where nothing would be left, some of
    # it makes up for the rest, and each is asked for.
    is_alone = tries.with_settings(dict.fromkeys(others)).fires(finding.rule)
    left = (needed(set(others)) if is_alone else set()) or needed(set())
    return tuple(settings[name] for name in sorted(left))


def nearest_passing(
    tries: Tries, vocabulary: Vocabulary, deployment: Deployment, conflicts: Sequence[tuple[Finding, tuple[Fact, ...]]]
) -> tuple[Nearby, ...]:
    """At most `NEAREST_MAX` deployments without a conflict.

    Nearest first: fewest settings changed, then the mildest verdict, then the least moved.

    Args:
        tries: what is tried on the deployment.
        vocabulary: the names, with the values that they may take.
        deployment: the one that conflicts.
        conflicts: each conflict with its smallest set of settings.
    """
    rules = [finding.rule for finding, _ in conflicts]
    names = sorted({fact.name for _, facts in conflicts for fact in facts} - _IDENTITY)
    wishes = {name: tuple(_values(vocabulary, deployment, name, conflicts)) for name in names}
    found: list[tuple[_Cost, Nearby]] = []
    count_tried = 0
    for count in (1, 2):
        for chosen in combinations(names, count):
            best: tuple[_Cost, Nearby] | None = None
            kept = None if count == 1 else _PAIRED_VALUES_MAX
            for values in product(*(wishes[name][:kept] for name in chosen)):
                count_tried += 1
                if count_tried > _TRIES_MAX:
                    break
                changes = _changes(deployment, dict(zip(chosen, values, strict=True)))
                if best is not None and _cost(changes, CheckVerdict.FINE) >= best[0]:
                    # However mild it were, it would not be nearer.
                    continue
                tried = tries.with_settings({change.name: change.value for change in changes})
                if any(tried.fires(rule) for rule in rules) or tried.conflicts:
                    continue
                cost = _cost(changes, tried.verdict)
                if best is None or cost < best[0]:
                    best = (cost, Nearby(changes, tried))
            if best is not None:
                found.append(best)
        if len(found) >= NEAREST_MAX or (found and count == 1):
            break
    found.sort(key=lambda pair: pair[0])
    return tuple(near for _, near in found[:NEAREST_MAX])


def _changes(deployment: Deployment, wish: Mapping[str, Scalar | None]) -> tuple[SettingChange, ...]:
    return tuple(SettingChange(name, deployment.stated[name].value, value) for name, value in wish.items())


def _settings(deployment: Deployment) -> dict[str, Fact]:
    written = (
        fact for fact in deployment.stated.values() if fact.origin.kind in _WRITTEN and fact.name not in _IDENTITY
    )
    return {fact.name: fact for _, fact in zip(range(_SETTINGS_MAX), written, strict=False)}


_SEVERITY = {CheckVerdict.FINE: 0, CheckVerdict.NOTE: 0, CheckVerdict.UNKNOWN: 1, CheckVerdict.DEGRADED: 2}


def _cost(changes: Sequence[SettingChange], verdict: CheckVerdict) -> _Cost:
    return len(changes), _SEVERITY[verdict], math.fsum(map(_distance, changes))


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
    vocabulary: Vocabulary,
    deployment: Deployment,
    name: str,
    conflicts: Sequence[tuple[Finding, tuple[Fact, ...]]],
) -> Iterator[Scalar | None]:
    """Other values of one setting worth trying, without repetition; None stands for dropping it."""
    before = deployment.stated[name].value
    info = vocabulary.get(name)
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
