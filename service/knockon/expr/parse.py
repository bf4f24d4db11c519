"""Text to nodes: Python's own `ast` reads the grammar, a whitelist turns its nodes into ours, nothing is ever run."""

import ast
from collections.abc import Mapping

from knockon.expr.functions import FUNCTIONS
from knockon.expr.nodes import (
    And,
    Arithmetic,
    ArithmeticOperator,
    Bool,
    Call,
    Compare,
    CompareOperator,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
)
from knockon.expr.scan import Scanned, refusal, scan
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import EXPRESSION_DEPTH_MAX, EXPRESSION_NODES_MAX
from knockon.terms.place import Span

_ARITHMETIC: Mapping[type[ast.operator], ArithmeticOperator] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%",
}  # fmt: skip
_COMPARE: Mapping[type[ast.cmpop], CompareOperator] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_BOOLS = {"true": True, "false": False}


def parse(text: str) -> Node:
    """Read one expression; spans are in characters of `text`.

    Raises:
        SyntaxProblem: not in the language; says where, what was expected, and what to write instead.
        LimitExceeded: too long, too deep or too many nodes.
    """
    scanned = scan(text)
    try:
        tree = ast.parse(scanned.source, mode="eval")
    except SyntaxError as error:
        start = min(scanned.offset + max((error.offset or 1) - 1, 0), max(len(text) - 1, 0))
        end = scanned.offset + (error.end_offset or 0) - 1
        raise refusal(
            text,
            Span(start, max(end, start + 1)),
            "this cannot stand here",
            expected="a value: a name, a number, a text, or a condition in brackets",
        ) from error
    return _Reader(text, scanned).read(tree.body, 1)


class _Reader:
    """Turns the nodes of `ast` into ours, counting them."""

    def __init__(self, text: str, scanned: Scanned) -> None:
        self._text = text
        self._scanned = scanned
        self._count = 0
        self._characters = None if scanned.source.isascii() else _characters(scanned.source)

    def read(self, node: ast.expr, depth: int) -> Node:
        """Give our node for `node`, which stands at `depth` (the whole expression is at 1)."""
        self._count_one(depth)
        span = self._span(node)
        match node:
            case ast.BoolOp(op=operator, values=values):
                items = tuple(self.read(value, depth + 1) for value in values)
                return And(items, span) if isinstance(operator, ast.And) else Or(items, span)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Not(self.read(operand, depth + 1), span)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Negative(self.read(operand, depth + 1), span)
            case ast.BinOp(op=operator, left=left, right=right) if type(operator) in _ARITHMETIC:
                sign = _ARITHMETIC[type(operator)]
                return Arithmetic(sign, self.read(left, depth + 1), self.read(right, depth + 1), span)
            case ast.Compare():
                return self._comparison(node, depth)
            case ast.Call():
                return self._call(node, depth)
            case ast.Name() | ast.Attribute() | ast.Constant():
                return self._atom(node, span)
            case ast.Tuple():
                raise refusal(
                    self._text, span, "a list of values cannot stand here", fix="lists stand only behind `in`"
                )
            case _:
                raise refusal(self._text, span, "this is not in the language", expected="a condition or a value")

    def _atom(self, node: ast.Name | ast.Attribute | ast.Constant, span: Span) -> Node:
        """Read a name, `threshold.x`, a number, a text or a truth."""
        match node:
            case ast.Name(id=name):
                if span.start in self._scanned.literals:
                    value, unit = self._scanned.literals[span.start]
                    return Number(value, unit, span)
                return Bool(_BOOLS[name], span) if name in _BOOLS else Name(name, span)
            case ast.Attribute(value=ast.Name(id=space), attr=attribute):
                return Name(f"{space}.{attribute}", span)
            case ast.Constant(value=bool(value)):
                return Bool(value, span)
            case ast.Constant(value=int(value) | float(value)):
                return Number(value, "", span)
            case ast.Constant(value=str(value)):
                return Text(value, span)
            case _:
                raise refusal(self._text, span, "this is not in the language", expected="a condition or a value")

    def _comparison(self, node: ast.Compare, depth: int) -> Node:
        """Read `a < b`, `a in (…)`, or a chain `a < b < c`, which means `a < b and b < c`."""
        sides = [node.left, *node.comparators]
        links: list[Node] = []
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            # In a chain the middle is read again for each link, so that the count of nodes is the true one.
            deeper = depth + 1
            if len(node.ops) > 1:
                deeper += 1
                self._count_one(deeper)
            whole = Span(self._span(left).start, self._span(right).end) if len(node.ops) > 1 else self._span(node)
            if isinstance(operator, ast.In | ast.NotIn):
                options = self._options(right)
                links.append(Member(self.read(left, deeper), options, isinstance(operator, ast.NotIn), whole))
            elif type(operator) in _COMPARE:
                sign = _COMPARE[type(operator)]
                links.append(Compare(sign, self.read(left, deeper), self.read(right, deeper), whole))
            else:
                raise refusal(self._text, whole, "this comparison is not in the language", fix="compare with `==`")
        if len(links) > 1 and any(isinstance(link, Member) for link in links):
            raise refusal(self._text, self._span(node), "`in` cannot stand in a chain", fix="join the two with `and`")
        return links[0] if len(links) == 1 else And(tuple(links), self._span(node))

    def _options(self, node: ast.expr) -> tuple[Number | Text | Bool, ...]:
        """Read the literals behind `in`."""
        if not isinstance(node, ast.Tuple):
            raise refusal(
                self._text,
                self._span(node),
                "`in` needs a list",
                expected='literals in brackets, as in ("a", "b")',
                fix="compare one value with `==`",
            )
        return tuple(self._option(item) for item in node.elts)

    def _option(self, node: ast.expr) -> Number | Text | Bool:
        self._count_one(0)
        span = self._span(node)
        negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        literal = node.operand if isinstance(node, ast.UnaryOp) and negative else node
        read = self._atom(literal, self._span(literal)) if isinstance(literal, ast.Name | ast.Constant) else None
        if isinstance(read, Number):
            return Number(-read.value if negative else read.value, read.unit, span)
        if isinstance(read, Text | Bool) and not negative:
            return read
        raise refusal(
            self._text, span, "an option must be a literal", expected="a number, a text or a truth", fix="use `==`"
        )

    def _call(self, node: ast.Call, depth: int) -> Node:
        """Read `function(value, …)`."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        function = FUNCTIONS.get(name)
        if function is None:
            raise refusal(
                self._text,
                self._span(node.func),
                f"`{name or 'this'}` is not a function",
                expected=f"one of {', '.join(FUNCTIONS)}",
            )
        count = len(node.args)
        if count < function.arguments_min or (function.arguments_max is not None and count > function.arguments_max):
            raise refusal(self._text, self._span(node), f"`{name}` got {count}", expected=function.takes)
        return Call(name, tuple(self.read(argument, depth + 1) for argument in node.args), self._span(node))

    def _count_one(self, depth: int) -> None:
        self._count += 1
        if depth > EXPRESSION_DEPTH_MAX:
            raise LimitExceeded("the depth of an expression", limit=EXPRESSION_DEPTH_MAX, fix="split the rule")
        if self._count > EXPRESSION_NODES_MAX:
            raise LimitExceeded(
                "the number of nodes of an expression", limit=EXPRESSION_NODES_MAX, fix="split the rule"
            )

    def _span(self, node: ast.expr) -> Span:
        start, end = node.col_offset, node.end_col_offset or node.col_offset
        if self._characters is not None:
            start, end = self._characters[start], self._characters[end]
        return Span(start + self._scanned.offset, end + self._scanned.offset)


def _characters(source: str) -> list[int]:
    """Character index by UTF-8 byte index; `ast` counts bytes."""
    table: list[int] = []
    for index, character in enumerate(source):
        table.extend([index] * len(character.encode()))
    return [*table, len(source)]
