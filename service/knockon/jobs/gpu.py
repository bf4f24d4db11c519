"""The GPUs of a deployment as people write them: "H200", "8x H20 96GB", "2 nodes × 8 H20", "A100 or H100"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knockon.catalog.catalog import Catalog
from knockon.catalog.machine import Gpu
from knockon.terms.errors import NotFound
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar, Text

_MANY = {"a": 1, "one": 1, "single": 1, "two": 2, "dual": 2, "four": 4, "quad": 4, "eight": 8}
_NUMBER = rf"(?:[1-9][0-9]{{0,4}}|(?:{'|'.join(_MANY)})(?=\s))"
# "8x", "2 nodes of", "8卡", "two": each multiplies what follows it.
_FACTOR = re.compile(
    rf"\s*({_NUMBER})\s*(?:(?:nodes?|machines?|servers?|hosts?|节点|机|台)\b\s*(?:[x×*,:]|of\b|with\b|each\b)?|[x×*]|[卡块张])\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)
# A number alone in front, unless it is the name itself: "8 H100", not "3090 Ti".
_NUMBER_ALONE = re.compile(rf"\s*([1-9][0-9]{{0,2}}|(?:{'|'.join(_MANY)}))\s+([^\W\d_].*)", re.IGNORECASE | re.DOTALL)
_COUNT_LAST = re.compile(r"(.*\S)\s*(?:\s[x×]|[×*])\s*([1-9][0-9]{0,4})\s*", re.IGNORECASE | re.DOTALL)
_WHOLLY_IN_BRACKETS = re.compile(r"\s*\(([^()]*)\)\s*")
_REMARK = re.compile(r"\((?!\s*[0-9]+\s*gi?b\s*\))[^()]*\)", re.IGNORECASE)
_OTHERS = re.compile(r"\s+or\s+|\s*[/,]\s*|或", re.IGNORECASE)
_NO_CHIP = re.compile(r"\s*(?:gpus?|cards?|卡)?\s*", re.IGNORECASE)
_FACTORS_MAX = 3
_SHOWN_MAX = 6


@dataclass(frozen=True, slots=True)
class CountedGpu:
    """A GPU's name with how many of them the text around it says there are."""

    name: str
    count: int | None


def counted_gpu(text: str) -> CountedGpu:
    """The name and the count in "8x H20 96GB", "2 nodes × 8 H20" or "H20 x8"; all of it is the name where it has none.

    The name of "8 GPUs" is empty.
    """
    name, count = text, None
    for _ in range(_FACTORS_MAX):
        found = _FACTOR.fullmatch(name) or _NUMBER_ALONE.fullmatch(name)
        if found is None:
            break
        inner = _WHOLLY_IN_BRACKETS.fullmatch(found[2])
        name, count = (inner[1] if inner else found[2]).strip(), (count or 1) * _number(found[1])
    if count is None:
        last = _COUNT_LAST.fullmatch(text)
        if last is not None:
            name, count = last[1].strip(), int(last[2])
    return CountedGpu("" if count is not None and _NO_CHIP.fullmatch(name) else name, count)


def gpu_facts(catalog: Catalog, text: str) -> tuple[dict[str, Fact], Text | None]:
    """The facts of the GPU that `text` names, and a note where the name fits several.

    Of several only what they share is known: every V100 has the same cores, not the same memory.

    Raises:
        NotFound: no GPU goes by that name.
    """
    counted = counted_gpu(text)
    if counted.count is not None and not counted.name:
        return {}, None
    name = counted.name
    found = _named(catalog, name)
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


def _named(catalog: Catalog, name: str) -> tuple[Gpu, ...]:
    """The GPUs of a name; without the remarks in it, then each of "A100 or H100", where the whole of it names none."""
    for said in dict.fromkeys((name, _REMARK.sub(" ", name).strip())):
        found = catalog.gpus_named(said) if said else ()
        if found:
            return found
    parts = [catalog.gpus_named(part) if part else () for part in _OTHERS.split(_REMARK.sub(" ", name).strip())]
    if len(parts) == 1 or not all(parts):
        return ()
    return tuple({gpu.id: gpu for each in parts for gpu in each}.values())


def _number(word: str) -> int:
    return _MANY.get(word.casefold()) or int(word)


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
