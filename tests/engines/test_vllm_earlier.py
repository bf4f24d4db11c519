"""What earlier releases of vLLM made of a model, where the newest one does otherwise."""

import pytest

from knockon.engines import facts_that_follow
from knockon.terms.fact import Fact, Origin, OriginKind
from knockon.terms.words import Scalar


def followed(version: str | None, kind: OriginKind = "model", **values: Scalar) -> dict[str, Fact]:
    stated = {name: Fact(name, value, Origin(kind, "")) for name, value in values.items()}
    stated["engine"] = Fact("engine", "vllm", Origin("flag", ""))
    if version is not None:
        stated["engine_version"] = Fact("engine_version", version, Origin("set", ""))
    return facts_that_follow(stated)


@pytest.mark.parametrize(
    ("version", "limit"), [("0.14.0", 131072), ("0.29.0", 131072), ("0.30.0", 40960), ("0.33.0", 40960), (None, 40960)]
)
def test_yarn_stretches_the_original_length_up_to_0_29_and_nothing_after_it(version: str | None, limit: int) -> None:
    facts = followed(
        version,
        max_position_embeddings=40960,
        rope_scaling_type="yarn",
        rope_scaling_factor=4.0,
        rope_original_max_position_embeddings=32768,
    )

    assert facts["model_len_limit_tokens"].value == limit


@pytest.mark.parametrize(
    ("version", "kind", "cached"),
    [
        ("0.14.0", "hybrid_linear", False),
        ("0.25.1", "linear", False),
        ("0.26.0", "hybrid_linear", True),
        (None, "hybrid_linear", True),
        ("0.14.0", "gqa", True),
    ],
)
def test_prefix_caching_is_off_by_default_for_linear_layers_up_to_0_25(
    version: str | None, kind: str, cached: bool
) -> None:
    facts = followed(version, "engine-default", enable_prefix_caching=True, attention_kind=kind)

    assert facts["enable_prefix_caching"].value is cached


def test_prefix_caching_that_was_asked_for_stays_on() -> None:
    facts = followed("0.14.0", "flag", enable_prefix_caching=True, attention_kind="hybrid_linear")

    assert facts["enable_prefix_caching"].value is True
