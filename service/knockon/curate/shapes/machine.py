"""Values of `catalog/models/<family>.yaml` and `catalog/gpus.yaml`: what deployments are made of."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from knockon.curate.forms import Form
from knockon.curate.shapes.base import NOT_EMPTY, UNIQUE, Cites, Number, Sentence, Shape, Word, formed, refusal


def _positive(value: float) -> int | float:
    if value <= 0:
        raise refusal(
            "out-of-range", f"{value!r} is not above 0", "a number above 0", "leave the key out if it is not known"
        )
    return value


_CAPABILITY = Form("bad-form", r"[0-9]+\.[0-9]+[a-z]?", 'a compute capability in quotes, like "9.0"')

Capability = Annotated[str, AfterValidator(formed(_CAPABILITY))]
Positive = Annotated[Number, AfterValidator(_positive)]


class Model(Shape):
    """One model; `config` holds the keys of its config.json that say something about cost."""

    aliases: Annotated[list[Sentence], UNIQUE] = Field(default=[])
    config: Annotated[dict[str, Any], NOT_EMPTY]
    parameters: Annotated[int, Field(ge=1)] | None = None
    cite: Cites


class Gpu(Shape):
    """One GPU; what its datasheet does not say is left out."""

    name: Sentence
    aliases: Annotated[list[Sentence], UNIQUE] = Field(default=[])
    memory_bytes: Annotated[int, Field(ge=1)] | None = None
    memory_bandwidth_bytes_per_s: Positive | None = None
    compute_capability: Capability | None = None
    dense_flops: dict[Word, Positive] = Field(default={})
    interconnect_bytes_per_s: Positive | None = None
    cite: Cites
