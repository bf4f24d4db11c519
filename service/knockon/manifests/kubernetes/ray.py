"""Ray Serve: the configurations of its applications, in files of their own or inside a RayService."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from knockon.manifests.base import Notes
from knockon.manifests.data import data_of, value_of
from knockon.manifests.document import Items, Keys, Node, Scalar, Walk
from knockon.manifests.found import Found
from knockon.manifests.tree import at, items_at, keys_at, scalar_at, text_at, whole_of
from knockon.manifests.word import Word, in_place_of, split_words, word_of
from knockon.manifests.written import Written

# The sample of KubeRay that starts vLLM from environment variables: ray-operator/config/samples/vllm/serve.py
_SAMPLE_FLAGS = {
    "TENSOR_PARALLELISM": "--tensor-parallel-size",
    "PIPELINE_PARALLELISM": "--pipeline-parallel-size",
}


@dataclass(frozen=True, slots=True)
class Served:
    """One model of an application."""

    found: Found
    notes: Notes
    name: str
    gpu_name: str | None = None
    replicas: int | None = None


def serve_applications(config: Node, walk: Walk) -> Iterator[Served]:
    """The models of a Ray Serve configuration."""
    for application in items_at(config, "applications"):
        environment = {
            name: word_of(value.written)
            for name, value in _mapping(application, "runtime_env", "env_vars").items()
            if isinstance(value, Scalar)
        }
        configs = items_at(application, "args", "llm_configs")
        for each in configs:
            served = _model(each, environment, walk) if isinstance(each, Keys) else None
            if served is not None:
                yield served
        if not configs:
            yield from _sample(application, environment)


def _model(config: Keys, environment: dict[str, Word], walk: Walk) -> Served | None:
    """One entry of `llm_configs`: its `engine_kwargs` are vLLM's arguments by their Python names."""
    loading = keys_at(config, "model_loading_config")
    model = scalar_at(loading, "model_source") or scalar_at(loading, "model_id")
    if model is None:
        return None
    notes = Notes()
    place = word_of(model.written)
    words = [in_place_of("vllm", place), in_place_of("serve", place), place]
    for key, value in _mapping(config, "engine_kwargs").items():
        words += _flag(key, value, walk)
    notes.add(
        model.at, "engine_kwargs are read as the flags of `vllm serve`", "engine_kwargs 按 `vllm serve` 的参数读取"
    )
    variables = dict(environment)
    for name, value in _mapping(config, "runtime_env", "env_vars").items():
        if isinstance(value, Scalar):
            variables[name] = word_of(value.written)
    deployment = keys_at(config, "deployment_config")
    replicas = whole_of(at(deployment, "num_replicas"))
    if replicas is None:
        replicas = whole_of(at(deployment, "autoscaling_config", "min_replicas"))
    return Served(
        Found(tuple(words), 2, variables),
        notes,
        text_at(loading, "model_id") or model.text,
        gpu_name=text_at(config, "accelerator_type") or None,
        replicas=replicas,
    )


def _flag(key: str, value: Node, walk: Walk) -> list[Word]:
    """One keyword argument as a flag."""
    name = key.replace("_", "-")
    if isinstance(value, Scalar):
        held = value_of(value)
        place = word_of(value.written)
        if held is None:
            return []
        if isinstance(held, bool):
            return [in_place_of(f"--{name}" if held else f"--no-{name}", place)]
        return [in_place_of(f"--{name}", place), place]
    text = json.dumps(data_of(value, walk=walk), ensure_ascii=False)
    place = Word(Written(text, value.sheet.source.cut(value.start, value.start).pieces), value.at)
    if isinstance(value, Items) and all(isinstance(each, Scalar) for each in value.held):
        return [
            in_place_of(f"--{name}", place),
            *(word_of(each.written) for each in value.held if isinstance(each, Scalar)),
        ]
    return [in_place_of(f"--{name}", place), place]


def _sample(application: Node, environment: dict[str, Word]) -> Iterator[Served]:
    """An application of its own that takes the model and the parallelism from variables."""
    path = scalar_at(application, "import_path")
    model = environment.get("MODEL_ID")
    if path is None or model is None or "vllm" not in path.text:
        return
    notes = Notes()
    notes.add(
        path.at,
        f"{path.text} is a program of its own; its variables are read as the flags of `vllm serve`",
        f"{path.text} 是自有程序；其变量按 `vllm serve` 的参数读取",
    )
    words = [in_place_of("vllm", model), in_place_of("serve", model), model]
    for variable, flag in _SAMPLE_FLAGS.items():
        held = environment.get(variable)
        if held is not None:
            words += [in_place_of(flag, held), *split_words(held)]
    yield Served(Found(tuple(words), 2, environment), notes, text_at(application, "name") or model.text)


def _mapping(node: Node, *keys: str) -> dict[str, Node]:
    held = keys_at(node, *keys)
    return held.held if held is not None else {}
