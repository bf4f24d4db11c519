"""The GPUs of a deployment as people write them: "H200", "8x H20 96GB", "2x RTX 4090", "V100"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knockon.catalog.catalog import Catalog
from knockon.catalog.machine import Gpu
from knockon.terms.errors import NotFound
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar, Text

_COUNT_FIRST = re.compile(r"\s*([1-9][0-9]{0,4})\s*[x×*]\s*(\D.*)", re.IGNORECASE | re.DOTALL)
_COUNT_LAST = re.compile(r"(.*\S)\s*(?:\s[x×]|[×*])\s*([1-9][0-9]{0,4})\s*", re.IGNORECASE | re.DOTALL)
_SHOWN_MAX = 6


@dataclass(frozen=True, slots=True)
class CountedGpu:
    """A GPU's name with how many of them the text around it says there are."""

    name: str
    count: int | None


def counted_gpu(text: str) -> CountedGpu:
    """The name and the count in "8x H20 96GB", "8 × H20" or "H20 x8"; the whole text is the name where it has none."""
    first = _COUNT_FIRST.fullmatch(text)
    if first is not None:
        return CountedGpu(first[2].strip(), int(first[1]))
    last = _COUNT_LAST.fullmatch(text)
    return CountedGpu(last[1].strip(), int(last[2])) if last is not None else CountedGpu(text, None)


def gpu_facts(catalog: Catalog, text: str) -> tuple[dict[str, Fact], Text | None]:
    """The facts of the GPU that `text` names, and a note where the name fits several.

    Of several only what they share is known: every V100 has the same cores, not the same memory.

    Raises:
        NotFound: no GPU goes by that name.
    """
    name = counted_gpu(text).name
    found = catalog.gpus_named(name)
    if not found:
        catalog.gpu(name)
        raise NotFound("gpu", name)
    said = found[0].name if len(found) == 1 else f"every {name}"
    shared = [_known(gpu) for gpu in found]
    facts = {
        key: Fact(key, value, Origin("gpu", f"datasheet of {said}"))
        for key, value in shared[0].items()
        if value is not None and all(other[key] == value for other in shared)
    }
    return facts, None if len(found) == 1 else _several(name, found)


def _known(gpu: Gpu) -> Mapping[str, Scalar | None]:
    return {
        "gpu_name": gpu.name,
        "gpu_memory_bytes": gpu.memory_bytes,
        "gpu_memory_bandwidth_bytes_per_s": gpu.memory_bandwidth_bytes_per_s,
        "gpu_compute_capability": gpu.compute_capability or None,
    }


def _several(name: str, found: tuple[Gpu, ...]) -> Text:
    ids = ", ".join(gpu.id for gpu in found[:_SHOWN_MAX]) + (", …" if len(found) > _SHOWN_MAX else "")
    return Text(
        f"{name!r} fits several GPUs ({ids}); only what they share is taken, name one with --gpu for the rest",
        f"{name!r} 可指多种 GPU（{ids}）；仅采用它们共有的信息，其余请用 --gpu 指明其一",
    )
