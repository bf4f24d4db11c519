"""Which words start an engine: programs, Python modules and server images, whatever their paths."""

import re
from collections.abc import Sequence

_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?")
# Python's own options that take the next word; -m ends them.
_PYTHON_WITH_VALUE = frozenset({"-W", "-X", "--check-hash-based-pycs"})

# Programs whose next word says what they do.
_SERVING = {"vllm": "serve", "sglang": "serve"}
_SERVERS = frozenset({"trtllm-serve", "llama-server", "text-generation-launcher"})
# Other servers behind trtllm-serve: an encoder, a proxy in front of several engines, their workers.
_NOT_SERVING = frozenset({"disaggregated", "disaggregated_mpi_worker", "mm_embedding_serve"})
_MODULES = frozenset(
    {
        "vllm.entrypoints.openai.api_server",
        "vllm.entrypoints.api_server",
        "vllm.entrypoints.launchers.api_server.entry",
        "sglang.launch_server",
        "sglang.srt.server",
        "tensorrt_llm.commands.serve",
        "dynamo.vllm",
        "dynamo.sglang",
        "dynamo.trtllm",
    }
)
_MODULES_WITH_VERB = {"vllm.entrypoints.cli.main": "serve", "sglang.cli.main": "serve"}

# Images that start an engine by themselves, by the last part of their name. The words stand for their entry point;
# none means that the image's own name stands in front of the arguments, from which the engine reads its version.
_IMAGES: dict[str, tuple[str, ...]] = {
    # https://docs.vllm.ai/en/latest/deployment/docker: the arguments of `docker run` go to the API server.
    "vllm-openai": (),
    "vllm-openai-rocm": (),
    "vllm-openai-cpu": ("vllm", "serve"),
    "vllm-cpu-release-repo": ("vllm", "serve"),
    "vllm-cuda-rhel9": ("vllm", "serve"),
    "vllm-rocm-rhel9": ("vllm", "serve"),
    "text-generation-inference": ("text-generation-launcher",),
}


def engine_words(words: Sequence[str]) -> int:
    """How many words in front name the engine's program; 0 when they start none.

    Args:
        words: a command without assignments in front.
    """
    if not words:
        return 0
    program = words[0].replace("\\", "/").rsplit("/", 1)[-1]
    if program in _SERVING:
        return 2 if len(words) > 1 and words[1] == _SERVING[program] else 0
    if program in _SERVERS:
        following = words[1] if len(words) > 1 else ""
        if program == "trtllm-serve" and following in _NOT_SERVING:
            return 0
        return 2 if program == "trtllm-serve" and following == "serve" else 1
    if _PYTHON.fullmatch(program):
        return _module_words(words)
    return 0


def _module_words(words: Sequence[str]) -> int:
    """How many words `python -m module` or `python path/api_server.py` takes; 0 when it starts no engine."""
    index = 1
    while index < len(words):
        text = words[index]
        if text == "-m" or (text.startswith("-") and text.endswith("m") and not text.startswith("--")):
            module = words[index + 1] if index + 1 < len(words) else ""
            if module in _MODULES:
                return index + 2
            verb = _MODULES_WITH_VERB.get(module)
            return index + 3 if verb is not None and words[index + 2 : index + 3] and words[index + 2] == verb else 0
        if not text.startswith("-"):
            return 0
        index += 2 if text in _PYTHON_WITH_VALUE else 1
    return 0


def image_entry(image: str) -> tuple[str, ...] | None:
    """The words a server image starts by itself, none for the image's own name; None for any other image."""
    path = image.partition("@")[0]
    name, _, tag = path.rsplit("/", 1)[-1].partition(":")
    if "/" not in path:
        return None
    if name == "llama.cpp" and tag.startswith("server"):
        return ("llama-server",)
    return _IMAGES.get(name)


def looks_like_vllm(hint: str) -> bool:
    """Whether a container's or image's name says that vLLM runs in it."""
    return "vllm" in hint.lower()


# What a file must hold somewhere for any engine to be started in it.
MENTIONS = re.compile(
    r"vllm|sglang|trtllm|tensorrt_llm|text-generation|llama-server|llama\.cpp|huggingface|modelSpec|modelArtifacts|engine_kwargs|InferenceService",
    re.IGNORECASE,
)
