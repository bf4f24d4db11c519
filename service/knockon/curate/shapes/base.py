"""What all shapes are made of: strict frozen models, language pairs, ids, dates, numbers, pointers into sources."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from knockon.curate.forms import CITATION_KEY, SLUG, WORD, Form, shown
from knockon.terms.limits import EXPRESSION_TEXT_MAX

_CELL_LENGTH = 3
# Formats (zero width, right to left), private and unassigned characters, separators of lines and paragraphs.
_UNSEEN = frozenset(("Cf", "Co", "Cn", "Cs", "Zl", "Zp"))
# Letters and marks that fonts draw nothing for: https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt,
# Default_Ignorable_Code_Point, and the blank of Braille.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


Target = Literal[
    "stage", "layer", "dimension", "onto", "quantity", "technique", "citation", "wall", "reading", "name"
]  # fmt: skip
"""What a text of the trees can name."""
POINTS_AT = "x-points-at"
"""The key under which a JSON Schema says so, before schema.py puts the names in its place."""


class Shape(BaseModel):
    """One kind of mapping in the YAML trees: only the keys it names, no conversions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def refusal(code: str, what: str, expected: str = "", fix: str = "") -> PydanticCustomError:
    """An error that curation turns into a Problem with exactly these words; braces in them are safe."""
    return PydanticCustomError(
        "knockon", "{what}", {"problem": code, "what": what, "expected": expected, "fix": fix}
    )  # fmt: skip


_URL = Form(
    "bad-url", r"https?://[^\s/]+\.[^\s]+", "an address like https://example.org/page, or no url for experience"
)
_COUPLE_ID = Form("bad-id", r"K[0-9]{3}", "an id like K001")
_DIAGNOSE_ID = Form("bad-id", r"D[0-9]{3}", "an id like D001")


def formed(form: Form) -> Callable[[str], str]:
    """Takes the texts that have the form whole, and refuses others."""

    def check(text: str) -> str:
        if not form.accepts(text):
            raise refusal(form.code, f"{text!r} cannot be used here", form.expected)
        return text

    return check


def _sentence(text: str) -> str:
    if not text.strip():
        raise refusal("empty-text", "the text is empty", "a sentence")
    if text != text.strip():
        raise refusal(
            "loose-space", "the text starts or ends with space", fix="fold it with >- so that no line break stays"
        )
    return _seen(text)


def _seen(text: str) -> str:
    """The text, refused when a character in it cannot be seen, or turns the order of those around it."""
    if not text.isprintable() or _INVISIBLE.search(text):
        for character in text:
            if unicodedata.category(character) in _UNSEEN or _INVISIBLE.match(character):
                name = unicodedata.name(character, "a character without a name").lower()
                raise refusal(
                    "invisible-character",
                    f"U+{ord(character):04X} ({name}) stands in {shown(text)}",
                    "characters that can be seen",
                    "remove it",
                )
    return text


def _date(text: str) -> str:
    try:
        written = date.fromisoformat(text).isoformat()
    except ValueError:
        written = ""
    if written != text:
        raise refusal("bad-date", f"{text!r} is not a date", "a date like 2026-11-29")
    return text


def _number(value: object) -> int | float:
    # bool is an int in Python, and a threshold of `true` is a slip.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refusal("wrong-type", f"{shown(value)} stands here", "a number")
    return value


def _not_negative(value: float) -> int | float:
    if value < 0:
        raise refusal("out-of-range", f"{value!r} stands here", "at least 0")
    return value


def _scalar(value: object) -> bool | int | float | str:
    if not isinstance(value, bool | int | float | str):
        raise refusal("wrong-type", f"{shown(value)} stands here", "a number, a text, true or false")
    return value


def _not_blank(text: str) -> str:
    if not text.strip():
        raise refusal(
            "empty-expression", "the expression is empty", "a condition", "leave the key out if there is none"
        )
    return text


def _cite(value: object) -> object:
    return {"ref": value} if isinstance(value, str) else value


def _cell(steps: list[str]) -> list[str]:
    if len(steps) != _CELL_LENGTH:
        raise refusal("wrong-length", f"[{', '.join(steps)}] is no cell", "[stage, layer, dimension]")
    return steps


def _unique(items: list[Any]) -> list[Any]:
    seen: list[Any] = []
    for item in items:
        if item in seen:
            text = f"[{', '.join(map(str, item))}]" if isinstance(item, list) else repr(item)
            raise refusal("repeated-item", f"{text} is listed twice", "each item once")
        seen.append(item)
    return items


UNIQUE = AfterValidator(_unique)
NOT_EMPTY = Field(min_length=1)

Sentence = Annotated[str, AfterValidator(_sentence)]
Slug = Annotated[str, AfterValidator(formed(SLUG))]
Word = Annotated[str, AfterValidator(formed(WORD))]
CitationKey = Annotated[str, AfterValidator(formed(CITATION_KEY))]
Url = Annotated[str, AfterValidator(formed(_URL))]
CoupleId = Annotated[str, AfterValidator(formed(_COUPLE_ID))]
DiagnoseId = Annotated[str, AfterValidator(formed(_DIAGNOSE_ID))]
IsoDate = Annotated[str, AfterValidator(_date), WithJsonSchema({"type": "string", "format": "date"})]
Number = Annotated[int | float, PlainValidator(_number), WithJsonSchema({"type": "number"})]
NotNegative = Annotated[Number, AfterValidator(_not_negative)]
Value = Annotated[
    bool | int | float | str,
    PlainValidator(_scalar),
    WithJsonSchema({"type": ["boolean", "number", "string"]}),
]
"""A literal: the value of a fact or a reading."""
Condition = Annotated[str, Field(max_length=EXPRESSION_TEXT_MAX), AfterValidator(_not_blank)]
"""Text in the language; whether it holds together is a matter of checks/, not of shape."""
Formula = Annotated[
    bool | int | float | str,
    PlainValidator(_scalar),
    WithJsonSchema({"type": ["boolean", "number", "string"]}),
]
"""An expression for a value; bare numbers and true/false are literals of the language."""


def written_as(form: Form) -> WithJsonSchema:
    """For editors: the text has this form."""
    return WithJsonSchema({"type": "string", "pattern": f"^{form.pattern}$"})


def pointer(to: Target, form: Form = WORD) -> WithJsonSchema:
    """For editors: the text is one of what stands in the tree, see schema.py; checks/ hold it to that."""
    return WithJsonSchema({"type": "string", "pattern": f"^{form.pattern}$", POINTS_AT: to})


class Pair(Shape):
    """A sentence in both languages."""

    en: Sentence
    zh: Sentence


class Cite(Shape):
    """A pointer into a source; a bare citation id is read as `{ref: id}`."""

    ref: Annotated[CitationKey, pointer("citation", CITATION_KEY)]
    where: Sentence | None = None


def _unique_cites(items: list[Cite]) -> list[Cite]:
    seen: set[tuple[str, str | None]] = set()
    for item in items:
        if (same := (item.ref, item.where)) in seen:
            what = f"{item.ref!r} is cited twice" + (f" with {item.where!r}" if item.where else "")
            raise refusal("repeated-item", what, "each place of a source once")
        seen.add(same)
    return items


Cites = Annotated[
    list[Annotated[Cite, BeforeValidator(_cite, json_schema_input_type=str | Cite)]],
    NOT_EMPTY,
    AfterValidator(_unique_cites),
]


CellSteps = Annotated[list[str], AfterValidator(_cell)]
"""Stage, layer and dimension, or `*` for any."""
Cell = Annotated[
    CellSteps,
    WithJsonSchema(
        {
            "type": "array",
            "prefixItems": [{"type": "string", POINTS_AT: axis} for axis in ("stage", "layer", "dimension")],
            "minItems": _CELL_LENGTH,
            "maxItems": _CELL_LENGTH,
        }
    ),
]
Stage = Annotated[Word, pointer("stage")]
Layer = Annotated[Sentence, WithJsonSchema({"type": "string", POINTS_AT: "layer"})]
Dimension = Annotated[Word, pointer("dimension")]
Onto = Annotated[Word, pointer("onto")]
QuantityId = Annotated[Word, pointer("quantity")]
TechniqueId = Annotated[Slug, pointer("technique", SLUG)]
WallId = Annotated[Word, pointer("wall")]
ReadingName = Annotated[Word, pointer("reading")]
FactOrReading = Annotated[Word, pointer("name")]

Depth = Literal["read", "abstract", "listing"]
