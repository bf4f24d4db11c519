"""Values people type after `--set`: `tensor_parallel_size=8`, `gpu_memory_bytes=80GiB`, `engine_version=0.33.0`."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from knockon.backends.python.walk import value_of
from knockon.expr.normal import normal
from knockon.expr.parse import parse
from knockon.expr.version import version_key
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.jobs.ranges import is_possible, wanted
from knockon.terms.errors import ExpressionError, IntakeError, NotFound, Problem, said_at
from knockon.terms.place import Position
from knockon.terms.unit import ONE, parse_unit
from knockon.terms.words import Scalar

_BYTES = parse_unit("byte")
# The group of facts that follow from all others; the vocabulary tells under `how` what to set instead.
DERIVED = "derived"
_PLACES = {
    "fact": "what is set, of one deployment",
    "reading": "what is measured of a running system",
    "threshold": "part of a profile",
}
# Where it is given instead.
_GOES_TO = {
    "fact": ": it goes with the deployment (--deployment), or under `facts` of a file of readings",
    "reading": ", so it goes to `diagnose`",
}
# fmt: off
_TRUTHS = {
    "true": True, "yes": True, "1": True, "on": True, "enabled": True,
    "false": False, "no": False, "0": False, "off": False, "disabled": False,
}
# fmt: on
_BREAKS = re.compile(r"[\s-]+")
_SHORT_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?[kKmM]i?")

Spelled = Callable[[str, str], Mapping[str, Scalar]]
"""The facts that an engine's own name for a setting states with a value; empty where no engine has it."""


def info_of(name: str, vocabulary: Vocabulary, *, kind: str) -> NameInfo:
    """What is known of a name of `kind` ("fact" or "reading"); dashes and spaces in it are underscores.

    Raises:
        NotFound: no such name. IntakeError: it is the name of something else.
    """
    info = _info(name, vocabulary)
    if info is None:
        near = [each for each in vocabulary.nearest(name) if vocabulary.names[each].kind == kind]
        raise NotFound(kind, name, suggestions=near, fix=f"`knockon catalog list {kind}s` lists every {kind}")
    if info.kind != kind:
        raise _of_another_kind(info, kind)
    return info


def _info(name: str, vocabulary: Vocabulary) -> NameInfo | None:
    return vocabulary.names.get(name) or vocabulary.names.get(_BREAKS.sub("_", name.lstrip("-")).lower())


def assigned(text: str, vocabulary: Vocabulary, *, kind: str, spelled: Spelled | None = None) -> dict[str, Scalar]:
    """Read `name=value` or `name: value` for a name of `kind` ("fact" or "reading").

    Args:
        text: what was typed; dashes and spaces in a name are underscores.
        vocabulary: the names.
        kind: "fact" or "reading".
        spelled: what a name that the vocabulary has not may state all the same.

    Raises:
        NotFound: no such name. IntakeError: no `=`, or a value of the wrong type or outside its range.
    """
    said, _, raw = text.partition("=") if "=" in text else text.partition(":")
    name = said.strip()
    if len(name) == len(text.strip()):
        raise IntakeError(
            Problem(
                "bad-assignment",
                f"{text!r} sets nothing",
                expected=f"{kind}=value",
                fix="for example tensor_parallel_size=8",
            )
        )
    if _info(name, vocabulary) is None and spelled is not None and (stated := spelled(name, raw.strip())):
        return dict(stated)
    info = info_of(name, vocabulary, kind=kind)
    if info.group_or_class == DERIVED:
        raise _follows(info)
    try:
        return {info.name: value_for(info, raw.strip())}
    except IntakeError:
        # "32k" is a length to the engines' own parsers.
        is_short = info.type == "int" and _SHORT_NUMBER.fullmatch(raw.strip()) is not None
        stated = spelled(name, raw.strip()) if spelled is not None and is_short else {}
        if info.name not in stated:
            raise
        return dict(stated)


def assigned_all(
    texts: Iterable[str],
    vocabulary: Vocabulary,
    *,
    kind: str,
    places: Mapping[str, Position] = MappingProxyType({}),
    spelled: Spelled | None = None,
) -> dict[str, tuple[Scalar, str]]:
    """Read several `name=value`: the value and the text of each, by name.

    Args:
        texts: each with a `=`.
        vocabulary: the names.
        kind: "fact" or "reading".
        places: where a text stands, where it stands in a file.
        spelled: what a name that the vocabulary has not may state all the same.

    Raises:
        NotFound, IntakeError: as `assigned`; and one name with two values.
    """
    found: dict[str, tuple[Scalar, str]] = {}
    for text in texts:
        with said_at(places.get(text)):
            stated = assigned(text, vocabulary, kind=kind, spelled=spelled)
        for name, value in stated.items():
            if name in found and found[name][0] != value:
                what = f"{name} is set twice: {found[name][1]!r} and {text!r}"
                raise IntakeError(Problem("set-twice", what, expected="one value", fix="leave one of them out"))
            found[name] = value, text
    return found


def _of_another_kind(info: NameInfo, kind: str) -> IntakeError:
    wanted_here, goes_to = _PLACES[kind], _PLACES.get(info.kind, "") + _GOES_TO.get(info.kind, "")
    return IntakeError(
        Problem(
            f"unknown-{kind}",
            f"{info.name} is a {info.kind}, not a {kind}",
            expected=f"a {kind}: {wanted_here}",
            fix=f"a {info.kind} is {goes_to}" if goes_to else "",
        )
    )


def _follows(info: NameInfo) -> IntakeError:
    return IntakeError(
        Problem(
            "derived-fact",
            f"{info.name} follows from other facts, so it cannot be set",
            expected="a fact that it follows from",
            fix=f"set {info.how['any']}" if "any" in info.how else "set what it follows from",
        )
    )


def value_for(info: NameInfo, raw: str) -> Scalar:
    """The value `raw` stands for, by the type and range of `info`; raises IntakeError."""
    match info.type:
        case "bool":
            if raw.lower() not in _TRUTHS:
                raise _refused(info, raw, "true or false")
            return _TRUTHS[raw.lower()]
        case "text":
            meant = next((option for option in info.options if option.lower() == raw.lower()), None)
            if info.options and meant is None:
                raise _refused(info, raw, f"one of {', '.join(info.options)}")
            return meant or raw
        case "version":
            if version_key(raw) is None:
                raise _refused(info, raw, wanted(info))
            return raw
        case _:
            return _number(info, raw)


def _number(info: NameInfo, raw: str) -> Scalar:
    # Half a dozen modules come with it, which a check without such a value does not need.
    from knockon.sources.amount import amount_of  # noqa: PLC0415  see above

    try:
        # A share is read as in files of readings; "%" is the remainder to the language of the rules.
        is_share = raw.endswith("%") and info.type == "number" and info.unit == ONE
        value = amount_of(raw, ONE).value if is_share else value_of(normal(parse(raw)), {})
    except (ExpressionError, ValueError) as error:
        raise _refused(info, raw, wanted(info)) from error
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _refused(info, raw, wanted(info))
    if info.type == "int":
        if info.unit == _BYTES:
            # 79.65GiB is a size people write; no machine has parts of a byte.
            value = round(value)
        if value != int(value):
            raise _refused(info, raw, wanted(info))
        value = int(value)
    if not is_possible(info, value):
        raise _refused(info, raw, wanted(info))
    return value


def _refused(info: NameInfo, raw: str, expected: str) -> IntakeError:
    return IntakeError(Problem("bad-value", f"{info.name} cannot be {raw!r}", expected=expected, fix=info.means.en))
