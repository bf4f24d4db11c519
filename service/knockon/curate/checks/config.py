"""A model's `config` holds what a config.json can hold: keys without slips, values of their type, counts that fit."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache

from knockon.catalog.names import fold
from knockon.curate.build import Steps
from knockon.curate.forms import shown
from knockon.curate.shapes.config import (
    COUNT_LISTS,
    COUNT_MAX,
    COUNTS,
    DENSE_LAYERS,
    EXPERTS,
    EXPERTS_PER_TOKEN,
    FLAGS,
    KNOWN,
    KV_HEADS,
    LANGUAGE_PARTS,
    LAYERS,
    MAPPINGS,
    QUERY_HEADS,
    TEXT_LISTS,
    TEXTS,
)
from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part
from knockon.terms.errors import Problem
from knockon.terms.words import Json

# Above it two keys are one with a slip: `num_key_value_head`, not `q_lora_rank` beside `kv_lora_rank` (0.87).
_SLIP = 0.88

# Mappings that are looked into, and what goes before the keys inside.
_OPENED = {
    **dict.fromkeys(LANGUAGE_PARTS, ""),
    **{
        key: f"{key}."
        for key in ("quantization_config", "attn_config", "ffn_config", "linear_attn_config", "vision_config")
    },
    "compression_config": "quantization_config.",
}

Values = dict[str, tuple[Json, Steps]]
"""Dotted key → its value and where it stands in the body; inside a language part as if it stood outside."""


def problems(tree: Tree) -> Iterator[Problem]:
    """Slips in keys, values of another type or out of range, and counts that do not fit together."""
    for located in tree.of_kind("model").values():
        values: Values = {}
        for key, value, steps in _entries(part(located.entry.body, "config"), "", ("config",)):
            # The language part comes after the whole, and speaks for the language model.
            values[key] = (value, steps)
            yield from _key(key, located, steps)
            yield from _value(key, value, located, steps)
        yield from _together(values, located)


def _entries(config: Body, prefix: str, steps: Steps) -> Iterator[tuple[str, Json, Steps]]:
    """Every entry of a config by dotted key, the whole before its language part."""
    for key, value in sorted(config.items(), key=lambda entry: entry[0] in LANGUAGE_PARTS):
        yield f"{prefix}{key}", value, (*steps, key)
        # What is inside other mappings goes by names of its own: a vision tower has a `hidden_size` too.
        if isinstance(value, dict) and key in _OPENED:
            yield from _entries(value, _OPENED[key], (*steps, key))


def _key(key: str, located: Located, steps: Steps) -> Iterator[Problem]:
    meant = _slip_of(key)
    if meant:
        what, fix = f"unknown key {key!r} in a config", f"did you mean {meant!r}?"
        yield Problem("unknown-key", what, "a key as config.json has it", fix, located.key_at(*steps))


@cache
def _slip_of(key: str) -> str:
    """The known key that `key` is a slip of; empty when it is known itself, or like none."""
    if key in KNOWN:
        return ""
    prefix, _, last = key.rpartition(".")
    matcher = SequenceMatcher(b=fold(last), autojunk=False)
    best = (_SLIP, "")
    for known in sorted(KNOWN):
        known_prefix, _, known_last = known.rpartition(".")
        if known_prefix == prefix:
            matcher.set_seq1(fold(known_last))
            if matcher.real_quick_ratio() > best[0] and matcher.quick_ratio() > best[0]:
                best = max(best, (matcher.ratio(), known))
    return best[1]


def _value(key: str, value: Json, located: Located, steps: Steps) -> Iterator[Problem]:
    """Nothing at all is what a config without the key says; what nothing reads may be anything."""
    if value is None:
        return
    if isinstance(value, list) and (key in COUNTS or key in COUNT_LISTS):
        for index, one in enumerate(value):
            # Layers may lack what others have, so that any number of a list may be 0.
            yield from _count(f"an item of {key}", one, 0, located, (*steps, index))
    elif key in COUNTS:
        yield from _count(key, value, COUNTS[key], located, steps)
    elif expected := _expected(key, value):
        yield Problem("wrong-type", f"{key} is {shown(value)}", expected, at=located.at(*steps))


def _count(what: str, value: Json, minimum: int, located: Located, steps: Steps) -> Iterator[Problem]:
    # In Python a bool is an int; in a config it is a slip.
    if isinstance(value, bool) or not isinstance(value, int):
        yield Problem("wrong-type", f"{what} is {shown(value)}", "a whole number", at=located.at(*steps))
    elif not minimum <= value <= COUNT_MAX:
        expected = f"at least {minimum}" if value < minimum else f"at most {COUNT_MAX:,}"
        yield Problem("out-of-range", f"{what} is {shown(value)}", expected, at=located.at(*steps))


def _expected(key: str, value: Json) -> str:
    """What `key`, which is no count, should be instead of `value`; empty when it may be that."""
    if key in COUNT_LISTS:
        return "a list of whole numbers"
    if key in FLAGS:
        return "" if isinstance(value, bool) else "true or false"
    if key in TEXTS:
        return "" if isinstance(value, str) else "a text"
    if key in TEXT_LISTS:
        is_list = isinstance(value, list) and all(isinstance(one, str) for one in value)
        return "" if is_list else "a list of texts"
    return "" if key not in MAPPINGS or isinstance(value, dict) else "a mapping"


def _together(values: Values, located: Located) -> Iterator[Problem]:
    """Counts that the model's own other counts rule out."""
    yield from _within(values, located, KV_HEADS, QUERY_HEADS, divides=True)
    yield from _within(values, located, EXPERTS_PER_TOKEN, EXPERTS)
    yield from _within(values, located, DENSE_LAYERS, LAYERS)
    layers, kinds = _first(values, LAYERS), values.get("layer_types")
    if layers and kinds and isinstance(kinds[0], list) and len(kinds[0]) != layers[1]:
        what = f"layer_types lists {len(kinds[0])}, {layers[0]} is {layers[1]}"
        yield Problem("uneven-config", what, "one for each layer", "", located.at(*kinds[1]))


def _within(
    values: Values, located: Located, keys: tuple[str, ...], bounds: tuple[str, ...], *, divides: bool = False
) -> Iterator[Problem]:
    """The count under one of `keys` is no larger than the one under `bounds`, and divides it where it has to."""
    part_of, whole = _first(values, keys), _first(values, bounds)
    if part_of is None or whole is None:
        return
    (key, count), (of, total) = part_of, whole
    # No experts at all is said by 0, whatever else stands there; wrong values are complained about already.
    if count < 1 or total < 1 or (count <= total and not (divides and total % count)):
        return
    what = f"{key} is {count}, {of} is {total}"
    expected = f"a divisor of {total}" if divides else f"at most {total}"
    yield Problem("uneven-config", what, expected, "take both from one config.json", located.at(*values[key][1]))


def _first(values: Values, keys: tuple[str, ...]) -> tuple[str, int] | None:
    """The first of `keys` that is given, with its value; None where that is no single count."""
    for key in keys:
        if key in values and values[key][0] is not None:
            value = values[key][0]
            return (key, value) if isinstance(value, int) and not isinstance(value, bool) else None
    return None
