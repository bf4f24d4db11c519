"""Words and numbers as answers for people write them, in the language they are read in."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import AxisValue, Cell
from knockon.formats.base import Marked, Tone, Words
from knockon.rules.fill import shown
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, QuantityId, Scalar, Text

TONES: Mapping[str, Tone] = {
    CheckVerdict.CONFLICT: "bad",
    CheckVerdict.DEGRADED: "warn",
    CheckVerdict.NOTE: "strong",
    CheckVerdict.FINE: "good",
    CheckVerdict.UNKNOWN: "dim",
}
_VERDICTS: Mapping[str, Text] = {
    CheckVerdict.CONFLICT: Text("conflict", "冲突"),
    CheckVerdict.DEGRADED: Text("degraded", "受损"),
    CheckVerdict.NOTE: Text("note", "提示"),
    CheckVerdict.FINE: Text("fine", "正常"),
    CheckVerdict.UNKNOWN: Text("unknown", "未知"),
}
_TRUTHS = {
    Truth.TRUE: Text("holds", "成立"),
    Truth.FALSE: Text("does not hold", "不成立"),
    Truth.UNKNOWN: Text("cannot tell", "无法判断"),
}
_ARROWS = {1: "↑", -1: "↓"}


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its noun, in English: "1 hop", "2 hops"."""
    return f"{count} {one if count == 1 else many or one + 's'}"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Speaks one language, and knows the names of things in it."""

    language: str
    catalog: Catalog

    def of(self, text: Text) -> str:
        """A sentence in the language."""
        return text.in_language(self.language)

    def say(self, en: str, zh: str) -> str:
        """One of two sentences."""
        return zh if self.language == "zh" else en

    def verdict(self, verdict: str) -> str:
        """A verdict; in Chinese with the word programs see behind it."""
        said = _VERDICTS.get(verdict)
        return verdict if said is None or self.language != "zh" else f"{said.zh} {verdict}"

    def truth(self, truth: Truth) -> str:
        """Whether a condition holds."""
        return self.of(_TRUTHS[truth])

    def quantity(self, key: QuantityId) -> str:
        """The name of a quantity; its id where the catalog has none."""
        found = self.catalog.quantities.get(key)
        return self.of(found.name) if found else key

    def onto(self, key: str) -> str:
        """The name of a dimension or burden."""
        axes = self.catalog.axes
        found = axes.dimensions.get(key) or axes.burdens.get(key)
        return key if found is None or self.language != "zh" else self.of(found.name)

    def cell(self, cell: Cell) -> str:
        """A cell, by the names of its coordinates."""
        axes = self.catalog.axes
        stage, layer = self._axis(axes.stages, cell.stage), axes.layers.get(cell.layer)
        named = f"{cell.layer} {self.of(layer.name)}" if layer else cell.layer
        return f"{stage} × {named} × {self._axis(axes.dimensions, cell.dimension)}"

    def layer(self, key: str) -> str:
        """A layer with its name: "L5 inference engines & serving"."""
        found = self.catalog.axes.layers.get(key)
        return f"{key} {self.of(found.name)}" if found else key

    def listed(self, items: Iterable[str]) -> str:
        """Things in a row."""
        return self.say(", ", "、").join(items)

    def _axis(self, values: Mapping[str, AxisValue], key: str) -> str:
        found = values.get(key)
        return self.of(found.name) if found else key


def name(text: str) -> Marked:
    """Something to type or look up."""
    return Marked(text, "name")


def dim(text: str) -> Marked:
    """Words that stand back."""
    return Marked(text, "dim")


def names(items: Iterable[str], *, separator: str = ", ") -> list[str | Marked]:
    """Things to type or look up, in a row."""
    parts: list[str | Marked] = []
    for item in items:
        parts += [separator, name(item)] if parts else [name(item)]
    return parts


def number(value: Scalar | None, unit: str = "1", *, unknown: str = "?") -> str:
    """A value with its unit; bytes as GiB and MiB, token counts with thousands parted."""
    if value is None:
        return unknown
    if isinstance(value, bool | str):
        return shown(value)
    if unit in ("byte", "bytes"):
        return shown(value, "bytes")
    if unit in ("1", ""):
        return shown(value) if abs(value) < 10_000 else shown(value, "number")
    return f"{shown(value, 'number')} {unit}"


def arrow(sign: int) -> str:
    """Which way a quantity moves."""
    return _ARROWS.get(sign, "")


def times(factor: Scalar | None) -> str:
    """A factor: "× 0.5"; nothing where it is not known."""
    return "" if factor is None else f"× {shown(factor)}"


def spaced(parts: Sequence[Words]) -> list[str | Marked]:
    """Parts in a row, a blank between each two."""
    row: list[str | Marked] = []
    for part in parts:
        if not part:
            continue
        if row:
            row.append(" ")
        row += [part] if isinstance(part, str) else list(part)
    return row
