"""Finds the models whose shape an unknown name shares: the same weights in another number format, or tuned further.

`tclf90/Qwen3.5-122B-A10B-AWQ` has the layers and heads of `Qwen/Qwen3.5-122B-A10B`, whatever its weights are stored in.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from knockon.catalog.machine import Model

_BREAKS = re.compile(r"[\s\-_()+,/]+")
# Words that say how weights are stored, not what they are.
_STORAGE = re.compile(
    r"fp8|fp4|nvfp4|mxfp4|mxfp8|bf16|fp16|awq|gptq|gguf|exl2|bnb|autoround|auto|round|int[248]|[248]bits?|w[48]a(?:16|8)"
    r"|quantized(?:\.w[48]a(?:16|8))?|dynamic|static|per|tensor|block|channel|sym|asym|marlin|ct|inc|qat|g128|g64|g32"
    r"|mtp|int"
)
# Words of tuning, which leaves the shape alone.
_TUNING = re.compile(
    r"instruct|chat|it|base|hf|thinking|reasoning|meta|v0\.[1-9]|preview|20[0-9]{2}|2[3-9][01][0-9]|0[1-9][0-3][0-9]"
)


def kin_of(name: str, models: Iterable[Model]) -> tuple[tuple[Model, ...], bool]:
    """The models of the catalog that differ from `name` in how weights are stored only, and whether that is all.

    Where there are none, those that differ in their tuning too: the second value is false then, since tuning may change
    how long a sequence the model takes.
    """
    held = [(model, _words(model.name)) for model in models]
    asked = _words(name)
    if len(_untuned(asked)) <= 1:
        return (), True
    same = tuple(model for model, words in held if words == asked)
    if same:
        return same, True
    return tuple(model for model, words in held if _untuned(words) == _untuned(asked)), False


def telling_words(name: str) -> tuple[str, ...]:
    """The words of a name that say what its layers are: without its owner, the storage of weights and tuning."""
    return _untuned(_words(name))


def storage_words(name: str) -> tuple[str, ...]:
    """The words of a name that say how its weights are stored."""
    base = name.strip().rpartition("/")[2].casefold()
    return tuple(word for word in _BREAKS.split(base) if _STORAGE.fullmatch(word))


# A run of many deployments compares the same few hundred names with one another over and over.
@lru_cache(maxsize=10_000)
def _words(name: str) -> tuple[str, ...]:
    """The telling words of a name without its owner, in order."""
    base = name.strip().rpartition("/")[2].casefold()
    return tuple(word for word in _BREAKS.split(base) if word and not _STORAGE.fullmatch(word))


@lru_cache(maxsize=10_000)
def _untuned(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if not _TUNING.fullmatch(word))
