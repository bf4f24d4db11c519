"""Words of a text as a search compares them: hyphens, plurals, endings and British spelling do not count.

Chinese has no blanks: two characters that stand together are a word, so that a part of a longer term is found too.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from operator import add

from knockon.catalog.traditional import simplified

# FlashAttention and flash attention are the same words; LoRA and vLLM are one word each.
_HUMP = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{2})")
# One word to who knows it; apart they are words that say nothing.
_COLLECTIVE = re.compile(r"(?<![a-z])all[-_ ](?:to[-_ ]all|reduce|gather)", re.IGNORECASE)
_BETWEEN = re.compile("[-_ ]")
# The two characters that are no word nor part of one end a run.
_RUN = re.compile(r"(?:(?![的了])[\u3400-\u9fff])+|[^\W_\u3400-\u9fff]+")
_ASCII_RUN = re.compile("[a-z0-9]+")
# They stand in every sentence and say nothing of what it is about.
_EMPTY_WORDS = """
a across all an and any are as at be between by can do does each for from how i in into is it its my no not of on or
other per so technique techniques than that the their them then these they this those to under use used uses using via
we what when where which while who why with you your 如何 怎么 怎样 什么 为什 可以 我们 一个 以及 或者
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
# What ends a word, longest first. Bus and axis are no plurals, quantities not quantized.
_ENDINGS = """
isation ization ation ising izing ating ative iser izer ator ised ized ated nes ise ize ate ism ion ive ing ed er ly e
(?<![iu])s (?<!nt)ity
"""
_ENDED = re.compile(rf"(?P<stem>[a-z]{{3,}}?)(?:{'|'.join(_ENDINGS.split())})")
# Loss and losses, prefill and prefilled, embed and embedding.
_DOUBLED = re.compile(r"(?P<stem>.{2,}([b-df-hj-np-tv-z]))\2")

# What people write for a longer word: its own ending would lead elsewhere.
_SHORT_FORMS = """
attn attention
ckpt checkpoint
comm communication
decontam decontamination
dedup deduplication
disagg disaggregation
eval evaluation
grad gradient
mem memory
recomp recomputation
sched scheduling
seq sequence
spec speculation
temp temperature
vision visual
vocab vocabulary
"""
_LONG: Mapping[str, str] = dict(line.split() for line in _SHORT_FORMS.strip().splitlines())


def words_of(text: str) -> list[str]:
    """The words in the order they stand, in lower case, without those that say nothing."""
    text = _COLLECTIVE.sub(lambda found: _BETWEEN.sub("", found[0]), text)
    if text.isascii():
        return [word for word in _ASCII_RUN.findall(_HUMP.sub(" ", text).lower()) if word not in _EMPTY]
    found: list[str] = []
    for run in _RUN.findall(simplified(unicodedata.normalize("NFKC", _HUMP.sub(" ", text))).casefold()):
        if "\u3400" <= run[0] <= "\u9fff" and len(run) > 1:
            found += map(add, run, run[1:])
        else:
            found.append(run)
    return [word for word in found if word not in _EMPTY]


def joined_words(words: Sequence[str]) -> Iterator[str]:
    """Each two neighbours without the blank between them: check point is checkpoint to others."""
    return (first + second for first, second in pairwise(words) if (first + second).isascii())


def stem(word: str) -> str:
    """What the forms of a word have in common: quantised, quantization and quantizer have `quant`."""
    if not word.isascii():
        return word
    if word.endswith("ies"):
        word = word.removesuffix("ies") + "y"
    word = _LONG.get(word, word)
    if word.endswith("attn"):
        # No other word ends so: flashattn is FlashAttention.
        word = f"{word.removesuffix('attn')}attention"
    while (found := _ENDED.fullmatch(word)) or (found := _DOUBLED.fullmatch(word)):
        word = _LONG.get(found["stem"], found["stem"])
    return word


def stems_of(name: str) -> str:
    """A name by the stems of its words, in order and without blanks: equal for the forms of one name."""
    return "".join(map(stem, words_of(name)))
