"""What may be compared, added and listed with what: the rules of expr/check.py for two or more sides."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.expr.arithmetic import in_base
from knockon.expr.nodes import Bool, Compare, Member, Name, Negative, Node, Number, Text
from knockon.expr.show import show
from knockon.expr.version import version_key
from knockon.expr.vocabulary import NameInfo, Type, Vocabulary, nearest
from knockon.terms.errors import Problem, UnitProblem
from knockon.terms.unit import ONE, Unit


@dataclass(frozen=True, slots=True)
class Typed:
    """The type of a value, and for numbers the unit."""

    type: Type
    unit: Unit = ONE
    is_bare: bool = False
    """A number written without a unit: it takes the unit of the other side."""

    @property
    def is_numeric(self) -> bool:
        """Whether values are numbers."""
        return self.type in ("int", "number")

    def __str__(self) -> str:
        if not self.is_numeric:
            return {"bool": "a truth", "text": "a text", "version": "a version"}[self.type]
        return "a plain number" if self.is_bare or self.unit == ONE else f"a number in {self.unit}"


def unit_problem(text: str, node: Node, code: str, what: str, *, expected: str = "", fix: str = "") -> UnitProblem:
    """The error that says `what` does not fit at `node`."""
    return UnitProblem(Problem(code=code, what=what, expected=expected, fix=fix), text=text, span=node.span)


@dataclass(frozen=True, slots=True)
class Fit:
    """The rules for one expression; `text` is for the carets."""

    vocabulary: Vocabulary
    text: str

    def alike(self, node: Node, sides: Sequence[Typed], by: str) -> Typed:
        """The type of a sum or of `min`/`max` over `sides`, which must have one unit; bare numbers take it.

        Raises:
            UnitProblem: two units.
        """
        with_unit = [side for side in sides if not side.is_bare]
        units = list(dict.fromkeys(side.unit for side in with_unit))
        if len(units) > 1:
            raise self._unlike(node, units[0], units[1], by)
        is_int = all(side.type == "int" for side in sides)
        return Typed("int" if is_int else "number", units[0] if units else ONE, is_bare=not with_unit)

    def compare(self, node: Compare, left: Typed, right: Typed) -> None:
        """Refuse a comparison whose sides do not fit.

        Raises:
            UnitProblem: types or units that differ, an order of things without one, a text that is no option.
        """
        if left.is_numeric and right.is_numeric:
            self.alike(node, (left, right), f"`{node.operator}`")
            self._check_range(node.left, node.right)
            self._check_range(node.right, node.left)
        elif "version" in (left.type, right.type):
            self._check_version(node, left, right)
        elif left.type != right.type:
            raise self._mixed(node, left, right)
        elif node.operator not in ("==", "!="):
            what = f"`{node.operator}` needs an order, and {left} has none"
            raise unit_problem(self.text, node, "type-mismatch", what, fix="compare with `==`, `!=` or `in`")
        elif left.type == "text":
            self._check_option(node.left, node.right)
            self._check_option(node.right, node.left)
        else:
            self._check_plain(node.left)
            self._check_plain(node.right)

    def member(self, node: Member, left: Typed, options: Sequence[Typed]) -> None:
        """Refuse options that can never be the value.

        Raises:
            UnitProblem: as `compare`, with the caret under the option.
        """
        for option, typed in zip(node.options, options, strict=True):
            if left.is_numeric and typed.is_numeric:
                self.alike(option, (left, typed), "`in`")
                self._check_range(node.left, option)
            elif left.type == "version" and isinstance(option, Text):
                self._check_version_text(option)
            elif left.type != typed.type:
                raise self._mixed(option, left, typed)
            else:
                self._check_option(node.left, option)

    def _unlike(self, node: Node, first: Unit, second: Unit, by: str) -> UnitProblem:
        what = f"{by} needs one unit, and the sides are in {first} and {second}"
        fix = "convert by a name or a literal with a unit" if ONE in (first, second) else ""
        return unit_problem(self.text, node, "unit-mismatch", what, fix=fix)

    def _mixed(self, node: Node, left: Typed, right: Typed) -> UnitProblem:
        fix = ""
        if "bool" in (left.type, right.type):
            fix = "write a truth alone, or with `not` before it"
        elif "text" in (left.type, right.type):
            fix = "write numbers without quotes, texts with quotes"
        return unit_problem(self.text, node, "type-mismatch", f"{left} is compared with {right}", fix=fix)

    def _check_plain(self, node: Node) -> None:
        """Truths are compared by name; two conditions joined by `==` are hard to read and to run on every back-end."""
        if not isinstance(node, Name | Bool):
            what = f"`{show(node)}` is compared as a truth"
            raise unit_problem(
                self.text, node, "type-mismatch", what, expected="a name", fix="join with `and` and `or`"
            )

    def _check_version(self, node: Compare, left: Typed, right: Typed) -> None:
        for side, typed in ((node.left, left), (node.right, right)):
            if isinstance(side, Text):
                self._check_version_text(side)
            elif typed.type != "version":
                fix = "write it in quotes" if isinstance(side, Number) else ""
                what = f"a version is compared with {typed}"
                raise unit_problem(
                    self.text, side, "type-mismatch", what, expected='a version, as in "0.10.2"', fix=fix
                )

    def _check_version_text(self, node: Text) -> None:
        if version_key(node.value) is None:
            what = f"{show(node)} is not a version"
            raise unit_problem(self.text, node, "not-a-version", what, expected='numbers and dots, as in "0.10.2"')

    def _check_option(self, of: Node, node: Node) -> None:
        """Refuse a literal text that is not among the options of the name `of`."""
        info = self._info(of)
        if info is None or not info.options or not isinstance(node, Text) or node.value in info.options:
            return
        near = nearest(node.value, info.options)
        fix = f"did you mean {' or '.join(repr(option) for option in near)}?" if near else ""
        what = f"{info.name} is never {show(node)}"
        expected = f"one of {', '.join(info.options)}"
        raise unit_problem(self.text, node, "unknown-option", what, expected=expected, fix=fix)

    def _check_range(self, of: Node, node: Node) -> None:
        """Refuse a literal outside the closed range of the name `of`: most often per cent for a ratio."""
        info, value = self._info(of), _literal(node)
        if info is None or info.minimum is None or info.maximum is None or value is None:
            return
        if not info.minimum <= value <= info.maximum:
            what = f"{info.name} is never {show(node)}"
            expected = f"a number from {info.minimum:g} to {info.maximum:g}"
            fix = "write a share as a number between 0 and 1" if info.maximum == 1 else ""
            raise unit_problem(self.text, node, "out-of-range", what, expected=expected, fix=fix)

    def _info(self, node: Node) -> NameInfo | None:
        return self.vocabulary.get(node.id) if isinstance(node, Name) else None


def _literal(node: Node) -> int | float | None:
    """The value of a literal in base units, minus included."""
    if isinstance(node, Negative):
        inner = _literal(node.operand)
        return None if inner is None else -inner
    return in_base(node) if isinstance(node, Number) else None
