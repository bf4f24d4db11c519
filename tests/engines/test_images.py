"""Releases that container images name."""

import pytest

from knockon.engines.images import release_in


@pytest.mark.parametrize(
    ("image", "engine", "release"),
    [
        ("vllm/vllm-openai:v0.33.0", "vllm", "0.33.0"),
        ("docker.io/vllm/vllm-openai:v0.12.0@sha256:0a", "vllm", "0.12.0"),
        ("registry.local:5000/mirror/vllm/vllm-openai:0.11.2rc1", "vllm", "0.11.2rc1"),
        ("vllm/vllm-openai:v0.33.0-cu129", "vllm", "0.33.0"),
        ("lmsysorg/sglang:v0.5.3.post1-cu126", "sglang", "0.5.3.post1"),
        ("nvcr.io/nvidia/tensorrt-llm/release:1.2.0rc4", "trtllm", "1.2.0rc4"),
        ("ghcr.io/huggingface/text-generation-inference:3.3.4", "tgi", "3.3.4"),
        # Images of others count their own releases.
        ("lmcache/vllm-openai:v0.3.1", "vllm", None),
        ("nvcr.io/nvidia/vllm:25.09-py3", "vllm", None),
        ("rocm/vllm:rocm6.4.1_vllm_0.9.1", "vllm", None),
        ("ghcr.io/llm-d/llm-d:v0.2.0", "vllm", None),
        ("notvllm/vllm-openai:v0.33.0", "vllm", None),
        # Another engine in this image.
        ("lmsysorg/sglang:v0.5.3", "vllm", None),
        ("vllm/vllm-openai:latest", "vllm", None),
        ("vllm/vllm-openai:v1", "vllm", None),
        ("localhost:5000/vllm/vllm-openai", "vllm", None),
        ("vllm/vllm-openai", "vllm", None),
    ],
)
def test_only_the_tag_of_an_own_image_is_a_release(image: str, engine: str, release: str | None) -> None:
    assert release_in(image, engine=engine) == release
