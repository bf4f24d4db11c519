"""Short names of models, "Qwen3-235B" or "Llama 70B": which models of the catalog a name leaves open.

A name is short for a model where it has all its telling words in order but for sizes:
`Qwen/Qwen3-235B-A22B` is what "Qwen3-235B" says, `Qwen/Qwen3-VL-235B-A22B-Instruct` is not. A name that several sizes
fit is short for none of them: there may be more sizes than the catalog has.
"""

import re
from collections.abc import Iterable, Sequence

from knockon.catalog.kin import telling_words
from knockon.catalog.machine import Model

# Words that a short name may leave out: sizes, active sizes, numbers of experts.
_LEFT_OUT = re.compile(r"[ae]?[0-9]+(?:\.[0-9]+)?[bm]|[0-9]+e|[0-9]+x[0-9]+b")
# "llama3" and "llama 3", "qwen3" and "qwen 3" are the same words.
_PIECES = re.compile(r"(?<=[a-z]{3})(?=[0-9])")
_TOTAL = re.compile(r"([0-9]+(?:\.[0-9]+)?)b")
_TOTAL_TOLERANCE = 0.05
_WORDS_MIN = 2


def models_called(name: str, models: Iterable[Model]) -> tuple[Model, ...]:
    """The models that `name` is short for; none where it says too little, or something that is no model's."""
    words = telling_words(name)
    asked = _pieces(words)
    if len(words) < _WORDS_MIN:
        return ()
    found: dict[tuple[str, ...], list[Model]] = {}
    for model in models:
        left = _left_out(asked, _pieces(telling_words(model.name)), model)
        if left is not None and all(_LEFT_OUT.fullmatch(word) for word in left):
            found.setdefault(left, []).append(model)
    fewest = min((len(left) for left in found), default=0)
    likely = [held for left, held in found.items() if len(left) == fewest]
    return tuple(likely[0]) if len(likely) == 1 else ()


def _left_out(asked: Sequence[str], held: Sequence[str], model: Model) -> tuple[str, ...] | None:
    """The words of a model's name that are not asked for; None where something asked is not its."""
    if not held or asked[0] != held[0]:
        return None
    left: list[str] = []
    at = 0
    for word in held:
        if at < len(asked) and asked[at] == word:
            at += 1
        else:
            left.append(word)
    rest = asked[at:]
    return tuple(left) if all(_is_its_size(word, model) for word in rest) else None


def _is_its_size(word: str, model: Model) -> bool:
    """Whether a word such as "671b" is how many parameters the model has, which its own name need not say."""
    said = _TOTAL.fullmatch(word)
    if said is None or model.parameters is None:
        return False
    return abs(model.parameters / (float(said[1]) * 1e9) - 1) <= _TOTAL_TOLERANCE


def _pieces(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(piece for word in words for piece in _PIECES.split(word))
