"""KServe: InferenceService with its serving runtime, and LLMInferenceService."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from knockon.manifests.document import Items, Keys, Node, Scalar
from knockon.manifests.found import Found
from knockon.manifests.kubernetes.container import Container
from knockon.manifests.kubernetes.resources import gpu_count_of, gpu_name_of
from knockon.manifests.kubernetes.together import Together
from knockon.manifests.tree import at, is_true, items_at, keys_at, scalar_at, text_at, whole_of
from knockon.manifests.word import Word, concatenated, in_place_of, spliced, split_words, word_of

_RUNTIMES = ("ServingRuntime", "ClusterServingRuntime")
# What starts the engine when the runtime that a model format names is not among the files.
_FORMATS = {
    "vllm": ("vllm", "serve"),
    "huggingface": ("vllm", "serve"),
    "sglang": ("python3", "-m", "sglang.launch_server"),
}
_MODEL_FLAGS = {"sglang": "--model-path"}
# KServe mounts the model here: https://kserve.github.io/website/docs/model-serving/storage/overview
_MOUNTED = "/mnt/models"
# The Hugging Face runtime's own flags: https://kserve.github.io/website/docs/model-serving/generative-inference/overview
_RENAMED = {"--model_name": "--served-model-name", "--model-name": "--served-model-name"}
_MODEL_NAMES = ("--model_id", "--model-id", "--model_dir", "--model-dir")


@dataclass(frozen=True, slots=True)
class Serving:
    """A part of a service that starts an engine."""

    container: Container
    found: list[Found]
    part: str = ""
    gpu_count: int | None = None
    gpu_name: str | None = None
    replicas: int | None = None


def inference_service(resource: Keys, together: Together) -> Iterator[Serving]:
    """The model of an InferenceService; its own containers are read as those of any pod."""
    predictor = keys_at(resource, "spec", "predictor")
    model = keys_at(predictor, "model")
    if predictor is None or model is None:
        return
    runtime = _runtime(text_at(model, "runtime"), together)
    given = Container(model, predictor, together)
    uri = scalar_at(model, "storageUri") or scalar_at(model, "storage", "path")
    if runtime is not None:
        found = _with_runtime(runtime, given, uri, name=scalar_at(resource, "metadata", "name"))
    else:
        found = _by_format(given, text_at(model, "modelFormat", "name").lower(), uri)
    worker = keys_at(predictor, "workerSpec")
    pods = whole_of(at(worker, "pipelineParallelSize")) or 1
    own = gpu_count_of(model)
    count = own if own is not None else gpu_count_of(runtime)
    yield Serving(
        given,
        found,
        gpu_count=count * pods if count is not None else None,
        gpu_name=gpu_name_of(predictor),
        replicas=whole_of(predictor.held.get("minReplicas")),
    )


def _runtime(name: str, together: Together) -> Keys | None:
    """The first container of the serving runtime `name`, where the files hold it."""
    for kind in _RUNTIMES:
        containers = items_at(together.resource(kind, name), "spec", "containers")
        if containers and isinstance(containers[0], Keys):
            return containers[0]
    return None


def is_named_runtime(name: str, together: Together) -> bool:
    """Whether an InferenceService of the same files names the runtime: it is read with that then."""
    named = re.compile(rf"\bruntime:[ \t]*['\"]?{re.escape(name)}['\"]?[ \t]*[,}}\n]")
    return any(named.search(file.text) for file in {together.file, *together.others.mentioning("InferenceService")})


def _with_runtime(runtime: Keys, given: Container, uri: Scalar | None, *, name: Scalar | None) -> list[Found]:
    """The runtime's container with the model's own settings: its arguments go behind, its variables win."""
    held = {**runtime.held, **{key: value for key, value in given.node.held.items() if key in ("image", "resources")}}
    for key in ("args", "env"):
        own, theirs = given.node.held.get(key), runtime.held.get(key)
        if isinstance(own, Items):
            both = [*(theirs.held if isinstance(theirs, Items) else ()), *own.held]
            held[key] = Items(own.sheet, own.start, own.end, both)
    given.node = Keys(runtime.sheet, runtime.start, runtime.end, held, given.node.twice)
    found = given.launches()
    model = _model_of(uri, given) if found else None
    named = word_of(name.written) if name is not None else None
    return [_filled_in(each, model, named) for each in found]


def _by_format(given: Container, model_format: str, uri: Scalar | None) -> list[Found]:
    words = _FORMATS.get(model_format)
    near = scalar_at(given.node, "modelFormat", "name")
    if words is None or near is None:
        return []
    environment = given.environment()
    arguments = given.words("args", environment) or []
    if any(word.text in ("--backend=huggingface", "--task=fill-mask") for word in arguments):
        return []
    place = word_of(near.written)
    given.notes.add(
        near.at,
        f"the serving runtime is not among the files given; model format {near.text} is taken for `{' '.join(words)}`",
        f"给定文件中没有相应的 serving runtime；模型格式 {near.text} 按 `{' '.join(words)}` 处理",
    )
    arguments, named = _renamed(arguments) if model_format == "huggingface" else (arguments, None)
    model = _model_of(uri, given) or named
    flag = _MODEL_FLAGS.get(model_format)
    names_model = any(word.text.partition("=")[0] in ("--model", "--model-path") for word in arguments)
    in_front = [in_place_of(text, place) for text in words]
    if model is not None and not names_model:
        arguments = [*([in_place_of(flag, model)] if flag else []), model, *arguments]
    command = Container(given.node, given.pod, given.together, given.notes, given.variables)
    command.node = Keys(given.node.sheet, given.node.start, given.node.end, _without(given.node, "command", "args"))
    command.more_arguments = arguments
    return command.launches(before=in_front)


def _renamed(arguments: Sequence[Word]) -> tuple[list[Word], Word | None]:
    """The Hugging Face runtime's arguments as vLLM has them, and the model that they name."""
    renamed: list[Word] = []
    model: Word | None = None
    takes: str = ""
    for word in arguments:
        name, equals, _ = word.text.partition("=")
        value = spliced(word, len(name) + 1, len(word.text)) if equals else None
        if takes == "model":
            model, takes = word, ""
        elif takes:
            takes = ""
        elif name in _MODEL_NAMES:
            model, takes = (value, "") if value is not None else (model, "model")
        elif name == "--backend":
            takes = "" if equals else "backend"
        elif name in _RENAMED:
            flag = in_place_of(_RENAMED[name] + equals, word)
            renamed.append(concatenated([flag, value], at=word.at) if value is not None else flag)
        else:
            renamed.append(word)
    return renamed, model


def _model_of(uri: Scalar | None, given: Container) -> Word | None:
    """The model that a storage address names; only those of the Hugging Face hub say it."""
    if uri is None:
        return None
    word = word_of(uri.written)
    if uri.text.startswith("hf://"):
        name = re.split("[:@]", uri.text.removeprefix("hf://"))[0]
        return spliced(word, len("hf://"), len("hf://") + len(name))
    given.notes.add(
        uri.at,
        f"{uri.text} does not say which model it is; it is mounted at {_MOUNTED}",
        f"{uri.text} 没有说明是哪个模型；它挂载于 {_MOUNTED}",
    )
    return in_place_of(_MOUNTED, word)


def _filled_in(found: Found, model: Word | None, name: Word | None) -> Found:
    """`/mnt/models` as the model that is mounted there, `{{.Name}}` as the service's name."""
    return replace(found, words=tuple(_filled(word, model, name) for word in found.words))


def _filled(word: Word, model: Word | None, name: Word | None) -> Word:
    for text, value in ((_MOUNTED, model), ("{{.Name}}", name)):
        held = "".join(word.text.split())
        if value is None or not (held == text or held.endswith(f"={text}")):
            continue
        end = len(word.text.partition("=")[0]) + 1 if held != text else 0
        return concatenated([spliced(word, 0, end), value], at=word.at) if end else replace(value, at=word.at)
    return word


def llm_inference_service(resource: Keys, together: Together) -> Iterator[Serving]:
    """The parts of an LLMInferenceService: the one that serves (or decodes), and prefill where it is apart."""
    spec = keys_at(resource, "spec")
    if spec is None:
        return
    prefill = keys_at(spec, "prefill")
    if keys_at(spec, "template") is not None or prefill is None:
        yield _llm_part(spec, spec, together, part="decode" if prefill is not None else "")
    if prefill is not None:
        yield _llm_part(spec, prefill, together, part="prefill")


def _llm_part(spec: Keys, part_spec: Keys, together: Together, *, part: str) -> Serving:
    pod = keys_at(part_spec, "template") or Keys(spec.sheet, spec.start, spec.end)
    containers = [each for each in items_at(pod, "containers") if isinstance(each, Keys)]
    main = next((each for each in containers if text_at(each, "name") == "main"), containers[0] if containers else None)
    node = main or Keys(spec.sheet, spec.start, spec.end)
    given = Container(node, pod, together)
    uri = scalar_at(spec, "model", "uri")
    if "command" in node.held:
        found = [_filled_in(each, _model_of(uri, given), None) for each in given.launches()]
    else:
        found = _llm_command(spec, part_spec, given, uri)
    pods = _pods(part_spec)
    count = gpu_count_of(node)
    return Serving(
        given,
        found,
        part,
        gpu_count=count * pods if count is not None else None,
        gpu_name=gpu_name_of(pod),
        replicas=whole_of(at(part_spec, "replicas")),
    )


def _pods(part_spec: Keys) -> int:
    """How many pods serve one replica: data parallel ranks over those of one pod, or pipeline stages."""
    parallelism = at(part_spec, "parallelism")
    data, local = whole_of(at(parallelism, "data")), whole_of(at(parallelism, "dataLocal"))
    if data and local:
        return max(1, data // local)
    return whole_of(at(parallelism, "pipeline")) or 1


def _llm_command(spec: Keys, part_spec: Keys, given: Container, uri: Scalar | None) -> list[Found]:
    """KServe's own command: `vllm serve MODEL`, the name, the flags of parallelism, further arguments."""
    near = uri or scalar_at(spec, "model", "name")
    if near is None:
        return []
    place = word_of(near.written)
    given.notes.add(
        near.at,
        "the command is KServe's own `vllm serve` with the model, its name and the parallelism that stand here",
        "命令是 KServe 自带的 `vllm serve`，模型、名称和并行度取自此处",
    )
    words = [in_place_of("vllm", place), in_place_of("serve", place)]
    model = _model_of(uri, given)
    words += [model] if model is not None else []
    name = scalar_at(spec, "model", "name")
    if name is not None:
        words += [in_place_of("--served-model-name", word_of(name.written)), word_of(name.written)]
    parallelism = keys_at(part_spec, "parallelism")
    for key, flag in _PARALLELISM.items():
        value = scalar_at(parallelism, key)
        if value is not None and key == "expert":
            words += [in_place_of(flag, word_of(value.written))] if is_true(value) else []
        elif value is not None:
            words += [in_place_of(flag, word_of(value.written)), word_of(value.written)]
    environment = given.environment()
    further = environment.get("VLLM_ADDITIONAL_ARGS")
    command = Container(given.node, given.pod, given.together, given.notes)
    command.more_arguments = split_words(further) if further is not None else ()
    return command.launches(before=words)


# config/llmisvcconfig of KServe: the flags its templates make of spec.parallelism.
_PARALLELISM = {
    "tensor": "--tensor-parallel-size",
    "pipeline": "--pipeline-parallel-size",
    "data": "--data-parallel-size",
    "dataLocal": "--data-parallel-size-local",
    "expert": "--enable-expert-parallel",
}


def _without(node: Keys, *names: str) -> dict[str, Node]:
    return {key: value for key, value in node.held.items() if key not in names}
