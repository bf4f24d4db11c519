"""Strict reading of one config.json: the same thing under its many key names, wrong types refused by key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knockon.terms.errors import IntakeError, Problem
from knockon.terms.words import Json, JsonObject

# Where multimodal configs keep the shape of their language model, outermost first.
LANGUAGE_PARTS = ("thinker_config", "text_config", "llm_config", "language_config", "language_model_config")

# No model has a dimension, a length or a count beyond it; products of a few of them stay exact in a float's range.
_WHOLE_MAX = 10**15


@dataclass(frozen=True, slots=True)
class Found:
    """A value with the dotted key it stood under."""

    key: str
    value: Json


@dataclass(frozen=True, slots=True)
class ConfigReader:
    """Looks keys up in the language part of a config first, then in the whole. Null counts as absent."""

    layers: tuple[tuple[str, JsonObject], ...]
    """(dotted prefix, object), innermost first."""

    @staticmethod
    def of(config: JsonObject) -> "ConfigReader":
        """A reader over `config` and the language parts inside it.

        Raises:
            IntakeError: the config, or a language part, is not an object.
        """
        if not isinstance(config, Mapping):
            raise refused("config.json", config, expected="an object")
        layers: list[tuple[str, JsonObject]] = [("", config)]
        for part in LANGUAGE_PARTS:
            prefix, outer = layers[0]
            inner = outer.get(part)
            if inner is None:
                continue
            if not isinstance(inner, Mapping):
                raise refused(f"{prefix}{part}", inner, expected="an object")
            layers.insert(0, (f"{prefix}{part}.", inner))
        return ConfigReader(tuple(layers))

    def find(self, *keys: str) -> Found | None:
        """The first of `keys` that is given; a key may be dotted ("attn_config.kv_n_heads")."""
        for key in keys:
            for prefix, layer in self.layers:
                value = _at(layer, key)
                if value is not None:
                    return Found(f"{prefix}{key}", value)
        return None

    def outermost(self, key: str) -> Found | None:
        """`key` of the whole config, else of its language part."""
        for prefix, layer in reversed(self.layers):
            if layer.get(key) is not None:
                return Found(f"{prefix}{key}", layer[key])
        return None

    def has(self, *keys: str) -> bool:
        """Whether any of `keys` is given."""
        return self.find(*keys) is not None

    def integer(self, *keys: str, minimum: int = 0) -> Found | None:
        """A whole number of at least `minimum`; an equal number per layer counts once, unequal ones as absent.

        Raises:
            IntakeError: the value is not a whole number, or too small.
        """
        found = self.find(*keys)
        if found is None:
            return None
        if isinstance(found.value, list):
            numbers = [_whole(found.key, value, minimum=0) for value in found.value]
            same = set(numbers)
            return Found(found.key, same.pop()) if len(same) == 1 else None
        return Found(found.key, _whole(found.key, found.value, minimum=minimum))

    def boolean(self, key: str) -> bool | None:
        """`key` as a boolean; None when absent.

        Raises:
            IntakeError: it is something else.
        """
        found = self.find(key)
        if found is None:
            return None
        if not isinstance(found.value, bool):
            raise refused(found.key, found.value, expected="true or false")
        return found.value

    def number(self, *keys: str, minimum: int = 0) -> int | None:
        """As `integer`, the value alone."""
        found = self.integer(*keys, minimum=minimum)
        return found.value if found is not None and isinstance(found.value, int) else None

    def text(self, *keys: str) -> Found | None:
        """A text.

        Raises:
            IntakeError: it is something else.
        """
        found = self.find(*keys)
        if found is not None and not isinstance(found.value, str):
            raise refused(found.key, found.value, expected="text")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty when absent.

        Raises:
            IntakeError: it is something else.
        """
        found = self.find(key)
        if found is None:
            return ()
        return texts_of(found)

    def varies_by_layer(self, *keys: str) -> bool:
        """Whether one of `keys` is a list with unequal numbers: layers differ."""
        found = self.find(*keys)
        return found is not None and isinstance(found.value, list) and len({str(value) for value in found.value}) > 1


def texts_of(found: Found) -> tuple[str, ...]:
    """The texts of a list.

    Raises:
        IntakeError: not a list, or something else in it.
    """
    value = found.value
    if not isinstance(value, list):
        raise refused(found.key, value, expected="a list of texts")
    for item in value:
        if not isinstance(item, str):
            raise refused(found.key, item, expected="a list of texts")
    return tuple(item for item in value if isinstance(item, str))


class BadKey(IntakeError):
    """A key of a config.json that cannot be what it is; `key` is dotted."""

    def __init__(self, problem: Problem, *, key: str) -> None:
        super().__init__(problem)
        self.key = key


def refused(key: str, value: object, *, expected: str) -> BadKey:
    """The complaint about one key of a config, naming the key."""
    shown = repr(value)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return BadKey(
        Problem(
            code="bad-model-config",
            what=f"{key} is {shown}",
            expected=expected,
            fix="take the config.json as published with the model",
        ),
        key=key,
    )


def numbers_of(found: Found, *, minimum: int = 0) -> Sequence[int]:
    """The whole numbers of a list.

    Raises:
        IntakeError: not a list, or something else in it.
    """
    if not isinstance(found.value, list):
        raise refused(found.key, found.value, expected="a list of whole numbers")
    return [_whole(found.key, value, minimum=minimum) for value in found.value]


def _whole(key: str, value: Json, *, minimum: int) -> int:
    # In Python a bool is an int; in a config it is a mistake.
    if isinstance(value, bool) or not isinstance(value, int):
        raise refused(key, value, expected="a whole number")
    if value < minimum:
        raise refused(key, value, expected=f"a whole number of at least {minimum}")
    if value > _WHOLE_MAX:
        raise refused(key, value, expected=f"a whole number of at most {_WHOLE_MAX:g}")
    return value


def _at(layer: JsonObject, key: str) -> Json:
    head, _, rest = key.partition(".")
    value = layer.get(head)
    if not rest:
        return value
    return _at(value, rest) if isinstance(value, Mapping) else None
