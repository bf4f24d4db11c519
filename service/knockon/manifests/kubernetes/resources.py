"""Which and how many GPUs a pod asks for."""

import re

from knockon.manifests.document import Keys, Node, Scalar
from knockon.manifests.tree import at, items_at, keys_at, text_at, whole_of

# Extended resources of the device plugins of NVIDIA, AMD, Huawei, Intel, Habana and Google.
_GPU = re.compile(
    r"gpu|nvidia\.com/(?:gpu(?:\.shared)?|mig-.+|pgpu)|amd\.com/gpu|huawei\.com/(?:Ascend.+|npu)|"
    r"gpu\.intel\.com/.+|habana\.ai/gaudi|google\.com/tpu|aliyun\.com/(?:gpu-count|ppu)"
)
# Labels that name the GPU: the feature discovery of NVIDIA and AMD, then those of clouds and provisioners.
_LABELS = (
    "nvidia.com/gpu.product",
    "amd.com/gpu.product-name",
    "cloud.google.com/gke-accelerator",
    "karpenter.k8s.aws/instance-gpu-name",
    "aliyun.accelerator/nvidia_name",
    "gpu.nvidia.com/model",
    "gpu.nvidia.com/class",
    "node.kubernetes.io/npu.chip.name",
    "accelerator",
)


def gpu_count_of(container: Node | None) -> int | None:
    """The GPUs of one container; None when it does not say."""
    for kind in ("limits", "requests"):
        held = keys_at(container, "resources", kind)
        for name, value in held.held.items() if held is not None else ():
            count = whole_of(value) if _GPU.fullmatch(name) else None
            if count is not None:
                return count
    return None


def ray_gpu_count(resource: Node) -> int | None:
    """The GPUs of a whole Ray cluster: one engine runs over all its pods."""
    spec = keys_at(resource, "spec", "rayClusterConfig") or keys_at(resource, "spec")
    groups = [(at(spec, "headGroupSpec"), 1)]
    for group in items_at(spec, "workerGroupSpecs"):
        replicas = whole_of(at(group, "replicas") or at(group, "minReplicas"))
        groups.append((group, 1 if replicas is None else replicas))
    counts = [
        (gpu_count_of(container), replicas)
        for group, replicas in groups
        for container in items_at(group, "template", "spec", "containers")
    ]
    known = [count * replicas for count, replicas in counts if count is not None]
    return sum(known) if known else None


def gpu_name_of(pod: Node | None) -> str | None:
    """The GPU that the pod's node must have, as its label names it; None when it does not say, or names several."""
    selected = keys_at(pod, "nodeSelector")
    for label in _LABELS:
        value = selected.held.get(label) if selected is not None else None
        if isinstance(value, Scalar) and value.text:
            return value.text
    required = at(pod, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    return gpu_name_in_terms(items_at(required, "nodeSelectorTerms"))


def gpu_name_in_terms(terms: list[Node]) -> str | None:
    """The one GPU that node selector terms ask for."""
    for label in _LABELS:
        names = {
            value.text
            for term in terms
            for rule in items_at(term, "matchExpressions")
            if isinstance(rule, Keys) and text_at(rule, "key") == label and text_at(rule, "operator") == "In"
            for value in items_at(rule, "values")
            if isinstance(value, Scalar)
        }
        if len(names) == 1:
            return names.pop()
    return None
