"""Answers as JSON text. Whatever a resolver gives, text comes out: the fast encoder first, a patient one behind it."""

import json
import math
import sys
from collections.abc import Mapping

import orjson


def encoded(body: Mapping[str, object]) -> bytes:
    """The body as JSON in UTF-8; a number that JSON or Python cannot write in digits is null."""
    try:
        return orjson.dumps(body)
    except orjson.JSONEncodeError:
        # Whole numbers over 64 bits, halves of surrogate pairs, more than 254 levels.
        return json.dumps(_writable(body), separators=(",", ":")).encode("ascii")


def _writable(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _writable(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(held) for held in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value) if _has_digits(value) else None
    return value if value is None or isinstance(value, str | bool) else str(value)


def _has_digits(value: int) -> bool:
    """Whether Python writes the number in digits: it refuses those that would take it long."""
    most = sys.get_int_max_str_digits()
    return not most or value.bit_length() * math.log10(2) < most
