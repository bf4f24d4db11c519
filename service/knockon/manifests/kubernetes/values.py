"""The values of charts: vLLM production-stack, llm-d model service, and any other that holds a command."""

from collections.abc import Iterator
from dataclasses import dataclass

from knockon.manifests.base import Notes
from knockon.manifests.document import Items, Keys, Node, Scalar, Walk
from knockon.manifests.found import Around, Found
from knockon.manifests.kubernetes.container import Container, image_word
from knockon.manifests.kubernetes.resources import gpu_count_of, gpu_name_in_terms, gpu_name_of
from knockon.manifests.kubernetes.together import Together
from knockon.manifests.script import launches_in_script
from knockon.manifests.tree import at, is_true, items_at, keys_at, scalar_at, text_at, whole_of
from knockon.manifests.word import Word, in_place_of, spliced, word_of

# helm/templates/deployment-vllm-multi.yaml of vllm-project/production-stack: the flags made of vllmConfig.
_FLAGS = {
    "maxModelLen": "--max-model-len",
    "dtype": "--dtype",
    "tensorParallelSize": "--tensor-parallel-size",
    "pipelineParallelSize": "--pipeline-parallel-size",
    "maxNumSeqs": "--max-num-seqs",
    "gpuMemoryUtilization": "--gpu-memory-utilization",
    "maxLoras": "--max-loras",
}
_SWITCHES = {"enableChunkedPrefill": "enable-chunked-prefill", "enablePrefixCaching": "enable-prefix-caching"}
_COMMANDS = ("command", "args", "modelCommand")
_REPLICAS = ("replicas", "replicaCount")
# Keys that hold a command but do not say what it is.
_SILENT = frozenset({"image", "container", "spec", "values", "server"})
_SCRIPTS = ("run", "script", "shell", "cmd")


@dataclass(frozen=True, slots=True)
class Valued:
    """An engine that a chart's values describe."""

    found: list[Found]
    notes: Notes
    name: str
    gpu_count: int | None = None
    gpu_name: str | None = None
    replicas: int | None = None


def values_in(top: Node, together: Together, walk: Walk) -> Iterator[Valued]:
    """Every engine that a document of values describes."""
    if not isinstance(top, Keys):
        return
    specs = [each for each in items_at(top, "servingEngineSpec", "modelSpec") if isinstance(each, Keys)]
    if specs:
        for spec in specs:
            yield _stack_model(spec, together)
        return
    if keys_at(top, "modelArtifacts") is not None:
        for role in ("decode", "prefill"):
            part = keys_at(top, role)
            if part is not None and text_at(part, "create") != "false":
                yield from _service_part(top, part, role, together)
        return
    yield from _anywhere(top, together, walk)


def _stack_model(spec: Keys, together: Together) -> Valued:
    """One entry of production-stack's modelSpec as the command its template makes."""
    container = Container(spec, Keys(spec.sheet, spec.start, spec.end), together)
    model = scalar_at(spec, "modelURL")
    place = word_of((model or scalar_at(spec, "name") or Scalar(spec.sheet, spec.start, spec.start, "")).written)
    words = [in_place_of("vllm", place), in_place_of("serve", place)]
    if model is not None:
        words.append(place)
    config = keys_at(spec, "vllmConfig")
    if is_true(at(spec, "enableLoRA")):
        words.append(in_place_of("--enable-lora", _near(spec, "enableLoRA")))
    words += _config_words(config)
    if is_true(at(spec, "lmcacheConfig", "enabled")):
        near = _near(spec, "lmcacheConfig", "enabled")
        role = text_at(spec, "lmcacheConfig", "kvRole") or "kv_both"
        words.append(in_place_of("--kv-transfer-config", near))
        words.append(in_place_of(f'{{"kv_connector":"LMCacheConnectorV1","kv_role":"{role}"}}', near))
    container.notes.add(
        spec.at,
        "the command is the one that production-stack's chart makes of these values",
        "命令按 production-stack 的 chart 由这些取值生成",
    )
    found = Found(tuple(words), 2, container.environment(), image=image_word(spec))
    count = whole_of(spec.held.get("requestGPU"))
    pods = whole_of(at(spec, "raySpec", "headNode", "requestGPU"))
    stages = whole_of(at(config, "pipelineParallelSize")) if pods is not None else None
    return Valued(
        [found],
        container.notes,
        text_at(spec, "name"),
        gpu_count=count * (stages or 1) if count is not None else None,
        gpu_name=gpu_name_in_terms(items_at(spec, "nodeSelectorTerms")),
        replicas=whole_of(spec.held.get("replicaCount")),
    )


def _config_words(config: Keys | None) -> list[Word]:
    words: list[Word] = []
    for key, value in config.held.items() if config is not None else ():
        if isinstance(value, Scalar) and not value.is_null:
            near = word_of(value.written)
            if key in _FLAGS:
                words += [in_place_of(_FLAGS[key], near), near]
            elif key in _SWITCHES:
                words.append(in_place_of(f"--{_SWITCHES[key]}" if is_true(value) else f"--no-{_SWITCHES[key]}", near))
        elif key == "extraArgs" and isinstance(value, Items):
            words += [word_of(each.written) for each in value.held if isinstance(each, Scalar)]
    return words


def _service_part(top: Keys, part: Keys, role: str, together: Together) -> Iterator[Valued]:
    """The decode or prefill pods of llm-d's model service."""
    uri = scalar_at(top, "modelArtifacts", "uri")
    tensor = scalar_at(part, "parallelism", "tensor")
    data = whole_of(at(part, "parallelism", "data")) or 1
    for node in items_at(part, "containers"):
        if not isinstance(node, Keys):
            continue
        container = Container(node, part, together, variables=_sizes(part))
        command = text_at(node, "modelCommand")
        before = _service_command(container, command, uri, tensor, top)
        found = container.launches(before=before, hint=command)
        if found:
            count = gpu_count_of(node)
            if count is None:
                count = whole_of(tensor)
            local = whole_of(at(part, "parallelism", "dataLocal")) or 1
            yield Valued(
                found,
                container.notes,
                role,
                gpu_count=count * max(1, data // local) if count is not None else None,
                gpu_name=gpu_name_of(part),
                replicas=whole_of(part.held.get("replicas")),
            )


def _service_command(
    container: Container, command: str, uri: Scalar | None, tensor: Scalar | None, top: Keys
) -> list[Word] | None:
    """The words that the chart puts in front of a container's arguments; None where the container has its own."""
    if command not in ("vllmServe", "imageDefault") or uri is None:
        return None
    place = word_of(uri.written)
    words = [in_place_of("vllm", place), in_place_of("serve", place)]
    if uri.text.startswith("hf://"):
        words.append(spliced(place, len("hf://"), len(place.text)))
    elif uri.text.startswith("pvc://"):
        path = uri.text.partition("://")[2].partition("/")[2]
        words.append(spliced(place, len(place.text) - len(path), len(place.text)))
    if tensor is not None and tensor.text != "1":
        words += [in_place_of("--tensor-parallel-size", word_of(tensor.written)), word_of(tensor.written)]
    del top
    container.notes.add(
        uri.at,
        "the command is the one that llm-d's model service makes of these values",
        "命令按 llm-d 的 model service 由这些取值生成",
    )
    return words


def _sizes(part: Keys) -> dict[str, Word]:
    """The variables that the chart sets from the parallelism."""
    names = {"TP_SIZE": "tensor", "DP_SIZE": "data", "DP_SIZE_LOCAL": "dataLocal"}
    held = {name: scalar_at(part, "parallelism", key) for name, key in names.items()}
    return {name: word_of(value.written) for name, value in held.items() if value is not None}


def _anywhere(top: Keys, together: Together, walk: Walk) -> Iterator[Valued]:
    """Whatever has a command, arguments or a script that starts an engine."""
    waiting: list[tuple[Node, Keys, str]] = [(top, top, "")]
    seen: set[int] = set()
    while waiting:
        node, parent, name = waiting.pop()
        walk.step(node)
        if id(node) in seen or isinstance(node, Scalar):
            continue
        seen.add(id(node))
        if isinstance(node, Items):
            waiting += [(each, parent, name) for each in reversed(node.held)]
            continue
        own = text_at(node, "name") or name
        if any(key in node.held for key in _COMMANDS):
            yield from _container_values(node, parent, own, together)
        for key in _SCRIPTS:
            held = node.held.get(key)
            if isinstance(held, Scalar) and not held.is_null:
                yield from _script_values(held, node, own)
        for key, value in reversed(node.held.items()):
            waiting.append((value, node, key if isinstance(value, Keys) and key not in _SILENT else own))


def _container_values(node: Keys, parent: Keys, name: str, together: Together) -> Iterator[Valued]:
    with_image = node
    if "image" not in node.held and "image" in parent.held:
        with_image = Keys(node.sheet, node.start, node.end, {"image": parent.held["image"], **node.held})
    elif "repository" in node.held:
        with_image = Keys(node.sheet, node.start, node.end, {"image": node, **node.held})
    container = Container(with_image, node, together)
    found = container.launches()
    if found:
        count = gpu_count_of(node)
        said = (each.held[key] for each in (node, parent) for key in _REPLICAS if key in each.held)
        yield Valued(
            found,
            container.notes,
            name,
            gpu_count=count if count is not None else gpu_count_of(parent),
            gpu_name=gpu_name_of(node) or gpu_name_of(parent),
            replicas=whole_of(next(said, None)),
        )


def _script_values(script: Scalar, node: Keys, name: str) -> Iterator[Valued]:
    """A script in a file of jobs or tasks, and the accelerators that it asks for."""
    notes = Notes()
    environment = {
        key: word_of(value.written)
        for held in (keys_at(node, "envs"), keys_at(node, "env"))
        for key, value in (held.held.items() if held is not None else ())
        if isinstance(value, Scalar) and not value.is_null
    }
    found = launches_in_script(script.written, Around(launches_in_script, notes, environment=environment))
    if found:
        gpu_name, _, count = text_at(node, "resources", "accelerators").partition(":")
        counted = int(count) if count.isascii() and count.isdigit() and len(count) < 5 else None
        if counted is None and gpu_name:
            counted = 1
        yield Valued(found, notes, name, gpu_count=counted, gpu_name=gpu_name or None)


def _near(spec: Keys, *keys: str) -> Word:
    held = scalar_at(spec, *keys)
    assert held is not None, "only asked for a value that is there"
    return word_of(held.written)
