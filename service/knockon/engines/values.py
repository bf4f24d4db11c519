"""One word of a command line → the value of its flag's type; and one value → one fact."""

import json
import math
import re
from collections.abc import Mapping

from knockon.engines.table import Becomes, Flag, ValueType
from knockon.terms.argument import Argument
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import INTAKE_DEPTH_MAX
from knockon.terms.words import Json, Scalar

_TRUE = frozenset({"true", "1", "yes", "on"})
_FALSE = frozenset({"false", "0", "no", "off"})
_EXPECTED: Mapping[ValueType, str] = {
    "int": "a whole number",
    "number": "a number",
    "size": "a whole number, or one with a suffix such as 32k",
    "json": "a JSON object",
    "json-or-text": "a JSON object or a word",
    "switch": "true or false",
    "bool": "true or false",
    "text": "a word",
    "optional-text": "a word",
}
# Python's own int() accepts underscores and other scripts' digits; engines' users do not mean those.
_INT = re.compile(r"[+-]?[0-9]{1,30}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_SUFFIXED = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)([A-Za-z]{1,3})")
# A bare number with a suffix inside JSON, as vLLM lets one write it; quoted parts are matched first and left alone.
_JSON_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|\b[0-9]+(?:\.[0-9]+)?[A-Za-z]{1,2}\b')


def truth_of(text: str) -> bool | None:
    """The truth a word stands for; None when it stands for none."""
    lowered = text.lower()
    return True if lowered in _TRUE else False if lowered in _FALSE else None


def value_of(flag: Flag, word: Argument, *, suffixes: Mapping[str, int]) -> Json:
    """Read one word as a value of `flag`.

    Raises:
        IntakeError: the word is not of the flag's type; carries the word's position.
    """
    value = _typed(flag.type, word.text, suffixes=suffixes)
    if value is None and flag.type not in ("json", "json-or-text"):
        raise wrong_value(flag, word)
    if flag.type in ("json", "json-or-text"):
        return _json_value(flag, word, suffixes=suffixes)
    return value


def is_outside(flag: Flag, value: Json) -> bool:
    """Whether a number is outside the range the engine accepts for `flag`."""
    if isinstance(value, list):
        return any(is_outside(flag, each) for each in value)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    low, high = flag.minimum, flag.maximum
    if flag.above is not None and value <= flag.above:
        return True
    return (low is not None and value < low) or (high is not None and value > high)


def range_of(flag: Flag, *, language: str = "en") -> str:
    """The range of `flag` for people: "at least 1", "from 0 to 1"; empty without one."""
    low, high = flag.minimum, flag.maximum
    least, most = ("不小于", "不大于") if language == "zh" else ("at least", "at most")
    if flag.above is not None:
        over = f"大于 {flag.above:g}" if language == "zh" else f"over {flag.above:g}"
        return over + (f"{'，' if language == 'zh' else ', '}{most} {high:g}" if high is not None else "")
    if low is not None and high is not None:
        return f"{low:g} 至 {high:g}" if language == "zh" else f"from {low:g} to {high:g}"
    return f"{least} {low:g}" if low is not None else f"{most} {high:g}" if high is not None else ""


def wrong_value(flag: Flag, word: Argument, *, why: str = "") -> IntakeError:
    """The error for a word that is no value of `flag`."""
    expected = " ".join(part for part in (_EXPECTED[flag.type], range_of(flag)) if part)
    if flag.special:
        expected += " or " + " or ".join(flag.special)
    shown = word.text if len(word.text) <= 80 else word.text[:77] + "..."
    is_variable = word.text.startswith("$")
    return IntakeError(
        Problem(
            code="wrong-value",
            what=f"{flag.name} cannot be {shown!r}" + (f" ({why})" if why else ""),
            expected=expected,
            fix="write the variable's value in its place" if is_variable else "",
            at=word.at,
        )
    )


def loose_value(text: str, *, suffixes: Mapping[str, int]) -> Json:
    """A value without a declared type, as a dotted key takes it: JSON, else a number with a suffix, else the text."""
    try:
        return _parsed(text)
    except (ValueError, RecursionError):
        sized = _size(text, suffixes)
        return text if sized is None else sized


def fact_value(becomes: Becomes, value: Json) -> Scalar | None:
    """The fact's value for a flag's value; None where the value states nothing (null) or is of another type."""
    folded = _folded(becomes, value)
    if folded is None or isinstance(folded, (list, dict)):
        return None
    if becomes.upper and isinstance(folded, str):
        folded = folded.upper()
    if isinstance(folded, (str, int)) and str(folded) in becomes.words:
        return becomes.words[str(folded)]
    return _as_type(becomes, folded)


def _as_type(becomes: Becomes, value: Scalar) -> Scalar | None:
    match becomes.type:
        case "bool":
            truth = value if isinstance(value, bool) else truth_of(str(value))
            return None if truth is None else truth != becomes.inverse
        case "text":
            return str(value).lower() if isinstance(value, bool) else str(value)
        case "int" | "number":
            number = value if isinstance(value, (int, float)) else _number(value)
            if number is None or isinstance(number, bool):
                return None
            scaled = number * becomes.times
            if not math.isfinite(scaled):
                return None
            if becomes.type == "number":
                return scaled
            return int(scaled) if scaled == int(scaled) else None


def _folded(becomes: Becomes, value: Json) -> Json:
    match becomes.fold:
        case "":
            return value
        case "truth":
            # An empty object switches a feature on with its defaults.
            return value not in (None, False, 0, "", [])
        case "count":
            # A comma-separated text counts its parts: CUDA_VISIBLE_DEVICES=0,1 is two.
            parts = [part for part in value.split(",") if part.strip()] if isinstance(value, str) else value
            return len(parts) if isinstance(parts, (list, dict)) and parts else None
        case "joined":
            return ",".join(str(part) for part in value) if isinstance(value, list) else value
        case "max" | "min":
            several: list[Json] = value if isinstance(value, list) else [value]
            numbers = [part for part in several if isinstance(part, (int, float)) and not isinstance(part, bool)]
            return (max(numbers) if becomes.fold == "max" else min(numbers)) if numbers else None


def _typed(kind: ValueType, text: str, *, suffixes: Mapping[str, int]) -> Json:
    """The value of a word; None when the word is not of the type (JSON is read later, it has its own messages)."""
    match kind:
        case "int":
            return int(text) if _INT.fullmatch(text.strip()) else None
        case "number":
            return _number(text)
        case "size":
            return _size(text, suffixes)
        case "switch" | "bool":
            return truth_of(text)
        case "text" | "optional-text":
            return text
        case "json" | "json-or-text":
            return None


def _number(text: str) -> int | float | None:
    stripped = text.strip()
    if _INT.fullmatch(stripped):
        return int(stripped)
    if not _NUMBER.fullmatch(stripped):
        return None
    number = float(stripped)
    return number if math.isfinite(number) else None


def _size(text: str, suffixes: Mapping[str, int]) -> int | None:
    stripped = text.strip()
    if _INT.fullmatch(stripped):
        return int(stripped)
    match = _SUFFIXED.fullmatch(stripped)
    multiplier = suffixes.get(match[2]) if match else None
    if match is None or multiplier is None:
        return None
    is_binary = multiplier & (multiplier - 1) == 0
    if is_binary and "." in match[1]:
        return None
    return int(match[1]) * multiplier if "." not in match[1] else int(float(match[1]) * multiplier)


def _json_value(flag: Flag, word: Argument, *, suffixes: Mapping[str, int]) -> Json:
    text = word.text.strip()
    if flag.type == "json-or-text" and not text.startswith(("{", "[")):
        return word.text
    if text in ("", "None", "null"):
        return None
    try:
        value = _parsed(_JSON_NUMBER.sub(lambda match: _expanded(match[0], suffixes), text))
    except ValueError as error:
        raise wrong_value(flag, word, why=str(error)) from error
    except RecursionError as error:
        raise _too_deep(flag, word) from error
    if not isinstance(value, (dict, list)):
        raise wrong_value(flag, word)
    if _depth(value) > INTAKE_DEPTH_MAX:
        raise _too_deep(flag, word)
    return value


def _too_deep(flag: Flag, word: Argument) -> LimitExceeded:
    return LimitExceeded(f"the nesting of {flag.name}", limit=INTAKE_DEPTH_MAX, at=word.at)


def _expanded(token: str, suffixes: Mapping[str, int]) -> str:
    if token.startswith('"'):
        return token
    sized = _size(token, suffixes)
    return token if sized is None else str(sized)


def _parsed(text: str) -> Json:
    def refused(constant: str) -> float:
        raise ValueError(f"{constant} is not a JSON number")

    value: Json = json.loads(text, parse_constant=refused)
    return value


def _depth(value: Json) -> int:
    deepest, level = 0, [value]
    while level:
        deepest += 1
        if deepest > INTAKE_DEPTH_MAX:
            return deepest
        level = [
            child
            for parent in level
            if isinstance(parent, (dict, list))
            for child in (parent.values() if isinstance(parent, dict) else parent)
        ]
    return deepest
