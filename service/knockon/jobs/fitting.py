"""What keeps a technique from being tried in a deployment: its engine, its release, what it rests on, the GPUs told."""

from collections.abc import Iterable, Mapping, Sequence

from knockon.backends.python.walk import judge_one
from knockon.catalog.catalog import Catalog
from knockon.catalog.technique import Switch, Technique
from knockon.expr.version import version_key
from knockon.expr.vocabulary import Vocabulary
from knockon.rules.couple import Finding
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, Scalar, Text

_REQUIRES = "requires"
# A rank of each of these has a GPU of its own, in every engine.
_ONE_REPLICA = ("tensor_parallel_size", "pipeline_parallel_size", "prefill_context_parallel_size")
_REPLICAS = "data_parallel_size"
# Where one of these is true (or over 1), data-parallel ranks share GPUs, or stand on nodes that the count is not of.
_REPLICAS_ELSEWHERE = (
    "enable_attention_data_parallel", "attention_data_parallel_size", "data_parallel_external_lb",
    "data_parallel_hybrid_lb", "data_parallel_size_local_given",
)  # fmt: skip


def without_switch(
    technique: Technique, switch: Switch | None, values: Mapping[str, Scalar], engine: str
) -> Text | None:
    """Why `engine`, or the release of it that runs, does not have the technique; None where it may."""
    if engine and technique.switches and switch is None:
        return Text(f"{engine} has no switch for it", f"{engine} 没有对应开关")
    release = values.get("engine_version")
    if switch is not None and switch.since and release is not None and _is_before(str(release), switch.since):
        return Text(f"{engine} has it since {switch.since}", f"{engine} 自 {switch.since} 起支持")
    return None


def rests_on_unused(
    technique: Technique, catalog: Catalog, values: Mapping[str, Scalar], vocabulary: Vocabulary
) -> Text | None:
    """The technique that this one takes and that the deployment does not use; None where it cannot be told either."""
    for relation in technique.relations:
        if relation.kind != _REQUIRES:
            continue
        if relation.when is not None and judge_one(relation.when, values, vocabulary=vocabulary) is not Truth.TRUE:
            continue
        other = catalog.techniques[relation.to]
        if other.detect is not None and judge_one(other.detect, values, vocabulary=vocabulary) is Truth.FALSE:
            return Text(f"it takes {other.name.en}, which is not in use", f"它以{other.name.zh}为前提，而该部署未使用")
    return None


def beyond_gpus(before: Mapping[str, Scalar], after: Mapping[str, Scalar]) -> Text | None:
    """Why the GPUs that were told are too few for `after`, which takes more than `before`; None where they are not."""
    held, needed = _told(after), _ranks(after)
    if held is None or needed <= held or needed <= _ranks(before):
        return None
    return Text(f"it takes {needed} GPUs, and {held} are told", f"它需要 {needed} 张 GPU，而所述只有 {held} 张")


def beyond_all(technique: Technique, values: Mapping[str, Scalar]) -> Text | None:
    """Why a technique that takes more devices has none left; None where it takes none, or some may be free."""
    held = _told(values)
    if technique.adds_devices is not True or held is None or _ranks(values) < held:
        return None
    return Text(
        f"it takes more devices, and all {held} that are told are in use", f"它需要更多设备，而所述 {held} 张均已占用"
    )


def taken_back(appeared: Iterable[Finding], sets: Mapping[str, Scalar], before: Mapping[str, Scalar]) -> Finding | None:
    """The finding that rules `sets` out: a conflict, or a loss whose way out is to take one of `sets` back.

    Args:
        appeared: what `check` finds with `sets` and not without.
        sets: what was changed.
        before: the facts without them; a parallel size that nobody gave is 1.
    """
    worst: Finding | None = None
    for finding in appeared:
        if finding.verdict is CheckVerdict.CONFLICT:
            return finding
        if finding.verdict is CheckVerdict.DEGRADED and any(_undoes(one.sets, sets, before) for one in finding.fixes):
            worst = worst or finding
    return worst


def _undoes(fix: Mapping[str, Scalar], sets: Mapping[str, Scalar], before: Mapping[str, Scalar]) -> bool:
    return any(name in sets and value == before.get(name, 1) for name, value in fix.items())


def _told(values: Mapping[str, Scalar]) -> int | None:
    """The GPUs that were told, those of every node; None where nobody told."""
    count, nodes = values.get("gpu_count"), values.get("node_count", 1)
    return count * max(1, nodes) if isinstance(count, int) and isinstance(nodes, int) else None


def _ranks(values: Mapping[str, Scalar]) -> int:
    """The GPUs that the parallel sizes take, those that nobody gave taken for 1."""
    elsewhere = any(_is_over_one_or_true(values.get(name)) for name in _REPLICAS_ELSEWHERE)
    names: Sequence[str] = _ONE_REPLICA if elsewhere else (*_ONE_REPLICA, _REPLICAS)
    ranks = 1
    for name in names:
        size = values.get(name, 1)
        ranks *= size if isinstance(size, int) else 1
    return ranks


def _is_over_one_or_true(value: Scalar | None) -> bool:
    return value is True or (isinstance(value, int | float) and value > 1)


def _is_before(release: str, since: str) -> bool:
    have, need = version_key(release), version_key(since)
    return have is not None and need is not None and have < need
