"""Which pods a Kubernetes resource makes, and how many of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from knockon.manifests.document import Items, Keys, Node, Scalar, Walk
from knockon.manifests.tree import at, keys_at, text_at, whole_of
from knockon.manifests.word import Word, in_place_of, word_of

# Where the pod stands in kinds that have exactly one.
_TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "Deployment": ("spec", "template", "spec"),
    "StatefulSet": ("spec", "template", "spec"),
    "ReplicaSet": ("spec", "template", "spec"),
    "DaemonSet": ("spec", "template", "spec"),
    "Job": ("spec", "template", "spec"),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
    "Pod": ("spec",),
}
# Keys on the way to a pod that say nothing about what it is.
_SILENT = frozenset({"spec", "template", "podTemplate", "leaderWorkerTemplate", "predictor", "rayClusterConfig", "pod"})


@dataclass(frozen=True, slots=True)
class Workload:
    """Pods that are alike."""

    pod: Keys
    part: str = ""
    """Which part of the resource they are: "leader"; empty when they are all of it."""
    replicas: int | None = None
    group_size: int = 1
    """Pods that serve together as one replica."""
    variables: Mapping[str, Word] = field(default_factory=dict)
    """What the resource's controller sets in them."""


def workloads_of(resource: Keys, walk: Walk) -> Iterator[Workload]:
    """The pods of a resource, in the order in which they stand."""
    kind = text_at(resource, "kind")
    path = _TEMPLATES.get(kind)
    if path is not None:
        pod = keys_at(resource, *path)
        if pod is not None:
            count = at(resource, "spec", "parallelism" if kind == "Job" else "replicas")
            yield Workload(pod, replicas=whole_of(count))
    elif kind == "LeaderWorkerSet":
        yield from _group(resource)
    else:
        yield from _anywhere(resource, walk)


def _group(resource: Keys) -> Iterator[Workload]:
    """The leader and the workers of a LeaderWorkerSet; without a template of its own the leader is like a worker."""
    template = keys_at(resource, "spec", "leaderWorkerTemplate")
    size_node = at(template, "size")
    size = whole_of(size_node) or 1
    replicas = whole_of(at(resource, "spec", "replicas"))
    worker = keys_at(template, "workerTemplate", "spec")
    leader = keys_at(template, "leaderTemplate", "spec")
    variables: dict[str, Word] = {}
    if isinstance(size_node, Scalar):
        # https://lws.sigs.k8s.io/docs/reference/labels-annotations-and-environment-variables/
        variables["LWS_GROUP_SIZE"] = word_of(size_node.written)
        variables["LWS_WORKER_INDEX"] = in_place_of("0", word_of(size_node.written))
    if leader is not None:
        yield Workload(leader, "leader", replicas, size, variables)
    if worker is not None:
        index = variables if leader is None else {k: v for k, v in variables.items() if k != "LWS_WORKER_INDEX"}
        yield Workload(worker, "worker" if leader is not None else "", replicas, size, index)


def _anywhere(resource: Keys, walk: Walk) -> Iterator[Workload]:
    """Pods wherever they stand: whatever has a list of containers is one."""
    waiting: list[tuple[Node, tuple[str, ...], int | None]] = [(resource, (), None)]
    seen: set[int] = set()
    while waiting:
        node, steps, replicas = waiting.pop()
        walk.step(node)
        if id(node) in seen or isinstance(node, Scalar):
            continue
        seen.add(id(node))
        if isinstance(node, Items):
            waiting += [(each, _named_step(each, steps), replicas) for each in reversed(node.held)]
            continue
        own = whole_of(node.held.get("replicas") or node.held.get("minReplicas"))
        replicas = own if own is not None else replicas
        pod = _pod(node)
        if pod is not None:
            yield Workload(pod, "/".join(steps[-1:]), replicas)
        for key, value in reversed(node.held.items()):
            if key not in ("containers", "initContainers", "metadata", "status"):
                further = steps if key in _SILENT or isinstance(value, Scalar) else (*steps, _part(key))
                waiting.append((value, further, replicas))


def _pod(node: Keys) -> Keys | None:
    """The node as a pod when it is one; NVIDIA Dynamo keeps a single container, its GPUs one level further out."""
    if isinstance(node.held.get("containers"), Items):
        return node
    extra = keys_at(node, "extraPodSpec")
    main = keys_at(extra, "mainContainer")
    if extra is None or main is None:
        return None
    held = dict(main.held)
    if "resources" in node.held:
        held.setdefault("resources", node.held["resources"])
    container = Keys(main.sheet, main.start, main.end, held, main.twice)
    containers = Items(main.sheet, main.start, main.end, [container])
    return Keys(extra.sheet, extra.start, extra.end, {**extra.held, "containers": containers})


def _named_step(item: Node, steps: tuple[str, ...]) -> tuple[str, ...]:
    """An item of a list by its own name, which says more than the list's."""
    name = text_at(item, "name") or text_at(item, "groupName")
    return (*steps[:-1], name) if name else steps


def _part(key: str) -> str:
    """How a part is called: "headGroupSpec" is the head."""
    for ending in ("GroupSpecs", "GroupSpec", "Spec"):
        key = key.removesuffix(ending)
    return key
