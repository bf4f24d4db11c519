"""Sentences with fields: `{kv_head_replicas}`, `{kv_cache_tokens:tokens}`, `{needed_bytes:bytes}`, `{x:percent}`."""

import re
from collections.abc import Mapping

from knockon.terms.words import Scalar, Text

FIELD = re.compile(r"\{([a-z][a-z0-9_.]*)(?::(bytes|percent|number|tokens))?\}")

_GIB = 1024**3
_MIB = 1024**2


def fields_in(text: str) -> frozenset[str]:
    """The names a sentence wants filled."""
    return frozenset(match.group(1) for match in FIELD.finditer(text))


def filled(text: Text, values: Mapping[str, Scalar]) -> Text:
    """`text` with every field replaced; a name that is not known reads "unknown" (未知)."""
    return Text(_filled(text.en, values, unknown="unknown"), _filled(text.zh, values, unknown="未知"))


def shown(value: Scalar, style: str | None = None) -> str:
    """A value as people read it. Styles: bytes (MiB, GiB), percent, tokens and number (thousands separated)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if style == "bytes":
        return (
            f"{value / _GIB:,.2f} GiB"
            if abs(value) >= _GIB
            else f"{value / _MIB:,.2f} MiB"
            if abs(value) >= _MIB
            else f"{value:,.0f} B"
        )
    if style == "percent":
        return f"{value * 100:.4g} %"
    if style in ("tokens", "number"):
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.6g}"


def _filled(text: str, values: Mapping[str, Scalar], *, unknown: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        name, style = match.group(1), match.group(2)
        return shown(values[name], style) if name in values else unknown

    return FIELD.sub(replaced, text)
