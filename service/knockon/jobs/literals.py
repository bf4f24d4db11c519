"""Values people type after `--set`: `tensor_parallel_size=8`, `gpu_memory_bytes=80GiB`, `engine_version=0.33.0`."""

import math

from knockon.backends.python.walk import value_of
from knockon.expr.normal import normal
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.errors import ExpressionError, IntakeError, NotFound, Problem
from knockon.terms.unit import ONE, parse_unit
from knockon.terms.words import Scalar

_BYTES = parse_unit("byte")
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def assigned(text: str, vocabulary: Vocabulary, *, kind: str) -> tuple[str, Scalar]:
    """Read `name=value` for a name of `kind` ("fact" or "reading").

    Raises:
        NotFound: no such name. IntakeError: no `=`, or a value of the wrong type or outside its range.
    """
    name, separator, raw = text.partition("=")
    name = name.strip()
    if not separator:
        raise IntakeError(
            Problem(
                "bad-assignment",
                f"{text!r} sets nothing",
                expected=f"{kind}=value",
                fix="for example tensor_parallel_size=8",
            )
        )
    info = vocabulary.names.get(name)
    if info is None or info.kind != kind:
        raise NotFound(
            kind, name, suggestions=vocabulary.nearest(name), fix=f"rules/vocabulary.yaml lists every {kind}"
        )
    return name, value_for(info, raw.strip())


def value_for(info: NameInfo, raw: str) -> Scalar:
    """The value `raw` stands for, by the type and range of `info`; raises IntakeError."""
    match info.type:
        case "bool":
            if raw.lower() not in _TRUTHS:
                raise _refused(info, raw, "true or false")
            return _TRUTHS[raw.lower()]
        case "text":
            if info.options and raw not in info.options:
                raise _refused(info, raw, f"one of {', '.join(info.options)}")
            return raw
        case "version":
            return raw
        case _:
            return _number(info, raw)


def _number(info: NameInfo, raw: str) -> Scalar:
    try:
        value = value_of(normal(parse(raw)), {})
    except ExpressionError as error:
        raise _refused(info, raw, _wanted(info)) from error
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _refused(info, raw, _wanted(info))
    if info.type == "int":
        if info.unit == _BYTES:
            # 79.65GiB is a size people write; no machine has parts of a byte.
            value = round(value)
        if value != int(value):
            raise _refused(info, raw, _wanted(info))
        value = int(value)
    if (info.minimum is not None and value < info.minimum) or (info.maximum is not None and value > info.maximum):
        raise _refused(info, raw, _wanted(info))
    return value


def _wanted(info: NameInfo) -> str:
    kind = "a whole number" if info.type == "int" else "a number"
    unit = "" if info.unit == ONE else f" of {info.unit}"
    bounds = (
        f" from {info.minimum:g} to {info.maximum:g}" if info.minimum is not None and info.maximum is not None else ""
    )
    return f"{kind}{unit}{bounds}"


def _refused(info: NameInfo, raw: str, expected: str) -> IntakeError:
    return IntakeError(Problem("bad-value", f"{info.name} cannot be {raw!r}", expected=expected, fix=info.means.en))
