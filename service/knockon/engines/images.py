"""The release that a container image of an engine's own project holds."""

import re

# As the projects publish them, below whatever registry or mirror. Others build images of the same last name whose tags
# count their own releases.
_OWN = {
    "vllm/vllm-openai": "vllm",
    "vllm/vllm-openai-rocm": "vllm",
    "vllm/vllm-openai-cpu": "vllm",
    "lmsysorg/sglang": "sglang",
    "sgl-project/sglang": "sglang",
    "nvidia/tensorrt-llm/release": "trtllm",
    "huggingface/text-generation-inference": "tgi",
}
_RELEASE = re.compile(r"v?(\d+(?:\.\d+){1,3}(?:\.?(?:rc|post)\d+)?)(?![\w.])")


def release_in(image: str, *, engine: str) -> str | None:
    """The release of `engine` that the tag of its own image names; None for every other image and tag."""
    name, colon, tag = image.partition("@")[0].rpartition(":")
    if not colon or "/" in tag:
        return None
    is_own = any(held == engine and f"/{name}".endswith(f"/{own}") for own, held in _OWN.items())
    named = _RELEASE.match(tag) if is_own else None
    return named[1] if named is not None else None
