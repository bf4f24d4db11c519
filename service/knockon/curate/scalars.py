"""Scalars of the YAML 1.2 core schema. `no`, `on`, `12:30:45` and dates stay text; `010` is ten."""

import re

from knockon.terms.words import Scalar

# https://yaml.org/spec/1.2.2/#1032-tag-resolution, the table of the core schema.
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_NUMBER_STARTS = frozenset("+-.0123456789")
# Python reads at most 4,300 digits and a database column 19; no quantity of the catalog comes near 40.
_DIGITS_MAX = 40


def scalar_of(text: str) -> Scalar | None:
    """The value of a plain (unquoted) scalar.

    Raises:
        ValueError: a number that JSON cannot carry: infinite, not a number, or longer than 40 digits.
    """
    if text[:1] not in _NUMBER_STARTS:
        return _WORDS.get(text, text) if len(text) <= 5 else text
    if _INTEGER.match(text):
        _check_length(text)
        return int(text)
    if _FLOAT.match(text):
        _check_length(text)
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise ValueError("is too large for a number")
        return value
    if _BASED.match(text):
        _check_length(text)
        return int(text, 0)
    if _NOT_FINITE.match(text):
        raise ValueError("is not a finite number")
    return text


def _check_length(text: str) -> None:
    if len(text) > _DIGITS_MAX:
        raise ValueError(f"is a number of more than {_DIGITS_MAX} digits")
