"""Reads Kubernetes resources, charts' values and Ray Serve configurations."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from knockon.manifests.base import File, FileSet, Launch, file_set
from knockon.manifests.document import Keys, Node, Walk, documents_of
from knockon.manifests.kubernetes.container import Container
from knockon.manifests.kubernetes.kserve import Serving, inference_service, is_named_runtime, llm_inference_service
from knockon.manifests.kubernetes.ray import serve_applications
from knockon.manifests.kubernetes.resources import gpu_count_of, gpu_name_of, ray_gpu_count
from knockon.manifests.kubernetes.together import Together, flattened
from knockon.manifests.kubernetes.values import values_in
from knockon.manifests.kubernetes.workloads import workloads_of
from knockon.manifests.launching import launch_of
from knockon.manifests.lookup import files_in
from knockon.manifests.program import MENTIONS
from knockon.manifests.tree import items_at, scalar_at, text_at
from knockon.manifests.word import word_of
from knockon.manifests.written import whole

_ENDINGS = (".yaml", ".yml", ".json", ".yaml.tpl", ".yaml.j2", ".yml.j2", ".tpl")


class Kubernetes:
    """Kubernetes resources, charts' values and Ray Serve configurations."""

    name = "kubernetes"

    def recognises(self, file: File) -> bool:
        """YAML or JSON that names an apiVersion and a kind, or that mentions an engine."""
        if not file.name.endswith(_ENDINGS):
            return file.text.startswith(("apiVersion:", "---\napiVersion:"))
        return ("apiVersion" in file.text and "kind" in file.text) or MENTIONS.search(file.text) is not None

    def read(self, file: File, *, others: Sequence[File]) -> tuple[Launch, ...]:
        """Read every resource; see `Manifest.read`."""
        if MENTIONS.search(file.text) is None and "configMap" not in file.text:
            # Nothing in it can start an engine, so its YAML need not be read.
            return ()
        documents = documents_of(whole(file))
        files = file_set(others)
        reader = _Reader(file, files, documents, Together(file, documents, files), Walk())
        launches: list[Launch] = []
        for document in flattened(documents):
            launches += _told_apart(list(reader.launches(document)))
        return tuple(launches)


@dataclass(frozen=True, slots=True)
class _Reader:
    file: File
    files: FileSet
    documents: list[Node]
    together: Together
    walk: Walk

    def launches(self, resource: Keys) -> Iterator[tuple[Launch, str]]:
        kind = text_at(resource, "kind")
        if not kind or "apiVersion" not in resource.held:
            yield from self._values(resource)
            return
        if kind.endswith("ServingRuntime") and is_named_runtime(_name(resource, kind), self.together):
            return
        if kind == "InferenceService":
            for serving in inference_service(resource, self.together):
                yield from self._serving(serving, resource, kind)
        if kind == "LLMInferenceService":
            for serving in llm_inference_service(resource, self.together):
                yield from self._serving(serving, resource, kind)
            return
        yield from self._applications(resource, kind)
        yield from self._pods(resource, kind)

    def _pods(self, resource: Keys, kind: str) -> Iterator[tuple[Launch, str]]:
        for workload in workloads_of(resource, self.walk):
            for node in items_at(workload.pod, "containers"):
                if not isinstance(node, Keys):
                    continue
                container = Container(node, workload.pod, self.together, variables=workload.variables)
                count = ray_gpu_count(resource) if kind.startswith("Ray") else gpu_count_of(node)
                for found in container.launches():
                    yield (
                        launch_of(
                            found,
                            container.notes.copy(),
                            name=_joined(_name(resource, kind), workload.part),
                            kind=kind,
                            lookup=container.look,
                            gpu_count=count * workload.group_size if count is not None else None,
                            gpu_name=gpu_name_of(workload.pod),
                            replicas=workload.replicas,
                        ),
                        text_at(node, "name"),
                    )

    def _serving(self, serving: Serving, resource: Keys, kind: str) -> Iterator[tuple[Launch, str]]:
        for found in serving.found:
            yield (
                launch_of(
                    found,
                    serving.container.notes,
                    name=_joined(_name(resource, kind), serving.part),
                    kind=kind,
                    lookup=serving.container.look,
                    gpu_count=serving.gpu_count,
                    gpu_name=serving.gpu_name,
                    replicas=serving.replicas,
                ),
                "",
            )

    def _applications(self, resource: Keys, kind: str) -> Iterator[tuple[Launch, str]]:
        """The Ray Serve configuration that a RayService carries as a text."""
        text = scalar_at(resource, "spec", "serveConfigV2")
        for config in documents_of(text.written) if text is not None else ():
            for served in serve_applications(config, self.walk):
                yield (
                    launch_of(
                        served.found,
                        served.notes,
                        name=_joined(_name(resource, kind), served.name),
                        kind=kind,
                        gpu_name=served.gpu_name,
                        replicas=served.replicas,
                    ),
                    "",
                )

    def _values(self, top: Keys) -> Iterator[tuple[Launch, str]]:
        for served in serve_applications(top, self.walk):
            yield (
                launch_of(
                    served.found,
                    served.notes,
                    name=served.name,
                    kind="serve",
                    gpu_name=served.gpu_name,
                    replicas=served.replicas,
                ),
                "",
            )
        look = files_in(self.files, beside=self.file)
        for valued in values_in(top, self.together, self.walk):
            for found in valued.found:
                yield (
                    launch_of(
                        found,
                        valued.notes.copy(),
                        name=valued.name or self.file.name,
                        kind="values",
                        lookup=look,
                        gpu_count=valued.gpu_count,
                        gpu_name=valued.gpu_name,
                        replicas=valued.replicas,
                    ),
                    "",
                )


def _name(resource: Keys, kind: str) -> str:
    named = scalar_at(resource, "metadata", "name") or scalar_at(resource, "metadata", "generateName")
    return word_of(named.written).text if named is not None else kind


def _joined(name: str, part: str) -> str:
    return f"{name}/{part}" if part else name


def _told_apart(launches: list[tuple[Launch, str]]) -> list[Launch]:
    """Launches of one resource with names of their own: with their container's, or line, where there are several."""
    told = [launch for launch, _ in launches]
    names = Counter(launch.name for launch in told)
    for index, (launch, container) in enumerate(launches):
        if names[launch.name] > 1 and container:
            told[index] = replace(launch, name=f"{launch.name}/{container}")
    names = Counter(launch.name for launch in told)
    for index, launch in enumerate(told):
        if names[launch.name] > 1 and launch.at is not None:
            told[index] = replace(launch, name=f"{launch.name}:{launch.at.line}")
    return told
