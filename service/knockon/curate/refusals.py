"""From what pydantic says about one body to problems with a place, an expectation and a way out."""

from collections.abc import Mapping
from dataclasses import replace
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from knockon.curate.build import Steps
from knockon.curate.document import Document
from knockon.curate.forms import shown
from knockon.curate.nearest import meant
from knockon.curate.shapes.base import Pair, Shape
from knockon.terms.errors import Problem
from knockon.terms.place import Position

_LANGUAGES = {"en": "English", "zh": "Chinese"}
_TYPES: Mapping[str, str] = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
_BOUNDS: Mapping[str, tuple[str, str]] = {
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("at most", "le"),
}
_LENGTHS: Mapping[str, tuple[str, str]] = {
    "too_short": ("at least", "min_length"),
    "too_long": ("at most", "max_length"),
    "string_too_short": ("at least", "min_length"),
    "string_too_long": ("at most", "max_length"),
}
# Whoever forgets it has to learn why it is asked for, not only that a key is missing.
_NO_SOURCE = Problem(
    "no-source",
    "no source says so",
    "`cite` with a citation or more",
    "add it to catalog/citations/ first; what a source only implies gets `inferred: true` beside it",
)


def problems_of(error: ValidationError, document: Document, *, steps: Steps, shape: type[Shape]) -> list[Problem]:
    """One problem per thing pydantic refuses, placed in the document; `steps` lead to the refused body."""
    details = error.errors(include_url=False)
    return [_problem(detail, document, steps, shape) for detail in details]


def _problem(detail: ErrorDetails, document: Document, steps: Steps, shape: type[Shape]) -> Problem:
    # pydantic marks a wrong key of a mapping by a last step "[key]".
    is_key = detail["loc"][-1:] == ("[key]",)
    local: Steps = detail["loc"][:-1] if is_key else detail["loc"]
    path = (*steps, *local)
    return replace(_said(detail, local, shape), at=_position(detail["type"], document, path, is_key=is_key))


def _position(kind: str, document: Document, path: Steps, *, is_key: bool) -> Position:
    return document.key_at(*path) if is_key or kind == "extra_forbidden" else document.at(*path)


def _said(detail: ErrorDetails, local: Steps, shape: type[Shape]) -> Problem:
    """What pydantic refuses, in our words, without its place."""
    kind, given, context = detail["type"], detail["input"], detail.get("ctx", {})
    last = local[-1] if local else ""
    if last == "cite" and kind in ("missing", "too_short"):
        return _NO_SOURCE
    match kind:
        case "knockon":
            return Problem(context["problem"], context["what"], context["expected"], context["fix"])
        case "missing":
            return _missing(last, _model_at(shape, local[:-1]))
        case "extra_forbidden":
            return _unknown(last, given, _model_at(shape, local[:-1]))
        case "literal_error":
            words = _literals_at(shape, local)
            return Problem("wrong-word", f"{shown(given)} stands here", " or ".join(words), meant(given, words))
    if kind in _TYPES:
        fix = "put it in quotes" if kind == "string_type" and isinstance(given, bool | int | float) else ""
        return Problem("wrong-type", f"{shown(given)} stands here", _TYPES[kind], fix)
    if kind in _BOUNDS:
        word, key = _BOUNDS[kind]
        return Problem("out-of-range", f"{shown(given)} stands here", f"a number {word} {context[key]:g}")
    if kind in _LENGTHS:
        word, key = _LENGTHS[kind]
        unit = "character" if isinstance(given, str) else "item"
        return Problem("wrong-length", f"{_count(len(given), unit)} here", f"{word} {_count(context[key], unit)}")
    return Problem("wrong-shape", f"this is of another shape: {detail['msg']}")


def _count(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def _missing(key: str | int, model: type[BaseModel] | None) -> Problem:
    if model is Pair:
        language = _LANGUAGES[str(key)]
        return Problem("missing-translation", f"key {key!r} is missing", f"the text in {language} too")
    return Problem("missing-key", f"key {key!r} is missing")


def _unknown(key: str | int, given: object, model: type[BaseModel] | None) -> Problem:
    what, known = f"unknown key {key!r}", _keys_of(model)
    if model is Pair and given is None:
        # In `{en: one, two, zh: …}` the comma ends the text, and `two` is read as a key.
        return Problem(
            "unknown-key", what, "", "a comma ends a text that is not in quotes; put the whole text in quotes"
        )
    return Problem("unknown-key", what, "", meant(key, known) or f"known keys: {', '.join(known)}")


def _model_at(shape: type[Shape], local: Steps) -> type[BaseModel] | None:
    found = _annotation_at(shape, local)
    return found if isinstance(found, type) and issubclass(found, BaseModel) else None


def _literals_at(shape: type[Shape], local: Steps) -> tuple[str, ...]:
    return tuple(str(word) for word in get_args(_annotation_at(shape, local)))


def _annotation_at(shape: type[Shape], local: Steps) -> Any:
    """The type that stands at `local`, without `Annotated` and `None`."""
    here: Any = shape
    for step in local:
        if isinstance(here, type) and issubclass(here, BaseModel):
            fields = {field.alias or name: field.annotation for name, field in here.model_fields.items()}
            here = _bare(fields.get(str(step)))
        else:
            here = _bare(get_args(here)[-1] if get_args(here) else None)
    return here


def _bare(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated or NoneType in get_args(annotation):
        annotation = next(part for part in get_args(annotation) if part is not NoneType)
    return annotation


def _keys_of(model: type[BaseModel] | None) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()] if model else []
