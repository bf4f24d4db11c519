"""Models and GPUs."""

import strawberry

from knockon.api.scalars import BigInt, Json
from knockon.api.shape import field, nonempty, pairs, shows
from knockon.api.types.source import SOURCES, Source, sources_of
from knockon.api.types.words import Assigned, Setting
from knockon.catalog import machine


@shows(machine.Model)
class Model:
    """A model, by the facts of its config.json."""

    name: strawberry.ID = field("Repository id: `Qwen/Qwen3-235B-A22B`.")
    aliases: list[str] = field("Other names.")
    config: Json = field("The keys of its config.json that say something about cost.")
    parameters: BigInt | None = field("Number of parameters; null where no source gives it.")
    sources: list[Source] = field(SOURCES, resolver=sources_of)


@shows(machine.Gpu)
class Gpu:
    """A GPU, by its datasheet. What the datasheet does not confirm is null."""

    id: strawberry.ID = field("Id.")
    name: str = field("Name.")
    aliases: list[str] = field("Other names.")
    memory_bytes: BigInt | None = field("Memory in bytes; null where the datasheet does not say.")
    memory_bandwidth_bytes_per_s: float | None = field("Memory bandwidth in bytes/s; null where not confirmed.")
    compute_capability: str | None = field(
        "For example 9.0; null where there is none.", resolver=nonempty("compute_capability")
    )
    dense_flops: list[Setting] = field(
        "FLOP/s without sparsity, by number format.", resolver=pairs("dense_flops", Assigned)
    )
    interconnect_bytes_per_s: float | None = field("Bandwidth to other GPUs in bytes/s; null where not confirmed.")
    sources: list[Source] = field(SOURCES, resolver=sources_of)
