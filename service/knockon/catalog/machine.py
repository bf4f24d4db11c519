"""What a deployment is made of: models by their config.json facts, and GPUs by their datasheets."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knockon.terms.citation import Cite
from knockon.terms.words import JsonObject

# Words that vendors and drivers put around the name of a chip and that tell none from another.
_VENDOR_WORDS = frozenset(
    {"nvidia", "amd", "intel", "huawei", "tesla", "geforce", "instinct", "gpu", "gpus", "graphics", "accelerator"}
)
_WORD = re.compile(r"[a-z]+[0-9]*[a-z0-9]*|[0-9]+[a-z]*")
_SIZE = re.compile(r"([1-9][0-9]{0,3})(?:gb|gib|g)")
# What is sold as 96 GB may be 94 or 98 of them, and a card that keeps check bits has 6 % less (A10, A40, L40S).
_SIZE_TOLERANCE = 0.07
# What people call a generation by → the compute capabilities of it.
_GENERATIONS = {
    "volta": ("7.0",),
    "turing": ("7.5",),
    "ampere": ("8.0", "8.6"),
    "ada": ("8.9",),
    "hopper": ("9.0",),
    "blackwell": ("10.0", "10.3", "12.0", "12.1"),
}
_CAPABILITY = re.compile(r"sm[_-]?([1-9][0-9]?)([0-9])", re.IGNORECASE)
_PACKAGE_WORDS = frozenset({"pcie", "sxm", "hbm2", "hbm2e", "hbm3", "hbm3e", "gddr6", "gddr6x", "gddr7", "nvl72"})
_SPACED_UNIT = re.compile(r"(?<=[0-9])[\s_\-]+(?=(?:gb|gib)\b)")


@dataclass(frozen=True, slots=True)
class Model:
    """One model; `config` holds the keys of its Hugging Face config.json that say something about cost."""

    name: str
    """Repository id, for example "Qwen/Qwen3-235B-A22B"."""
    aliases: tuple[str, ...]
    config: JsonObject
    parameters: int | None
    cite: tuple[Cite, ...]

    @property
    def basename(self) -> str:
        """The name without its owner."""
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU. A number the vendor's datasheet does not confirm is absent, never guessed."""

    id: str
    name: str
    aliases: tuple[str, ...]
    memory_bytes: int | None
    memory_bandwidth_bytes_per_s: float | None
    compute_capability: str
    """For example 9.0; empty where the vendor has no such number."""
    dense_flops: Mapping[str, float]
    """FLOP/s without sparsity, by number format ("bf16", "fp8", …)."""
    interconnect_bytes_per_s: float | None
    cite: tuple[Cite, ...]


def chip_words(name: str) -> frozenset[str]:
    """The words of a chip's name that tell it from others: "NVIDIA H100 80GB HBM3" gives h100, 80gb, hbm3."""
    lowered = _SPACED_UNIT.sub("", name.casefold())
    return frozenset(_WORD.findall(lowered)) - _VENDOR_WORDS


def gpus_matching(name: str, gpus: Iterable[Gpu]) -> tuple[Gpu, ...]:
    """The GPUs whose names together have every word of `name`, by id; none when `name` has no telling word.

    Where none has them all, a size of memory may stand for the memory itself, and the bus is left aside.
    """
    asked = chip_words(name)
    if not asked:
        return ()
    known = sorted(gpus, key=lambda gpu: gpu.id)
    generation = _capabilities(name)
    if generation:
        return tuple(gpu for gpu in known if gpu.compute_capability in generation)
    found = [gpu for gpu in known if asked <= _words_of(gpu)]
    if not found:
        sizes = {word: int(size[1]) for word in asked if (size := _SIZE.fullmatch(word)) is not None}
        telling = asked - sizes.keys() - _PACKAGE_WORDS
        found = [
            gpu
            for gpu in known
            if telling and telling <= _words_of(gpu) and all(_has_about(gpu, size) for size in sizes.values())
        ]
    return tuple(found)


def _capabilities(name: str) -> tuple[str, ...]:
    """The compute capabilities of "Hopper" or "sm_90"; none where the name is one GPU's."""
    said = _CAPABILITY.fullmatch(name.strip())
    if said is not None:
        return (f"{said[1]}.{said[2]}",)
    telling = chip_words(name)
    return _GENERATIONS.get(next(iter(telling)), ()) if len(telling) == 1 else ()


def _words_of(gpu: Gpu) -> frozenset[str]:
    return chip_words(" ".join((gpu.id, gpu.name, *gpu.aliases)))


def _has_about(gpu: Gpu, gigabytes: int) -> bool:
    """Whether its memory is what is sold as so many gigabytes; the driver keeps a little of it."""
    return gpu.memory_bytes is not None and abs(gpu.memory_bytes / (gigabytes << 30) - 1) <= _SIZE_TOLERANCE
