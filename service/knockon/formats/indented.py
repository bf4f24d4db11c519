"""JSON two spaces deep: the bytes of `json.dumps(…, indent=2, ensure_ascii=False)`, in a third of its time.

The encoder of Python is written in C only where nothing is indented, and an answer has thousands of lines.
"""

import math
from json.encoder import encode_basestring

from knockon.terms.words import Json

_STEP = "  "


def indented(value: Json, *, margin: str = "") -> str:
    """`value` as JSON; every line after the first begins with `margin`.

    Raises:
        ValueError: a number in it is not finite, which JSON has no word for.
    """
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no JSON number")
        return float.__repr__(value)
    inner = margin + _STEP
    if isinstance(value, dict):
        lines = [f"{encode_basestring(key)}: {indented(each, margin=inner)}" for key, each in value.items()]
        opening, closing = "{", "}"
    else:
        lines = [indented(each, margin=inner) for each in value]
        opening, closing = "[", "]"
    if not lines:
        return opening + closing
    return f"{opening}\n{inner}" + f",\n{inner}".join(lines) + f"\n{margin}{closing}"
