"""The scanner: text to tokens, with every cap checked and every foreign sign refused before Python's parser sees it.

It also hands over a text that Python's grammar can read: literals with a unit (`80GiB`) become placeholder names of the
same length, so that columns stay. Not here: what the tokens mean together (expr/parse.py).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isinf
from typing import NamedTuple

from knockon.terms.errors import LimitExceeded, Problem, SyntaxProblem
from knockon.terms.limits import EXPRESSION_DEPTH_MAX, EXPRESSION_NODES_MAX, EXPRESSION_TEXT_MAX
from knockon.terms.place import Span
from knockon.terms.unit import LITERAL_UNITS

# The one name space with a dot: values of the profile in force.
THRESHOLD_PREFIX = "threshold."

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
    | (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?P<unit>[A-Za-z_][A-Za-z0-9_]*)?)
    | (?P<text>"(?:[^"\\\r\n]|\\["'\\nt])*" | '(?:[^'\\\r\n]|\\["'\\nt])*')
    | (?P<not_in>not[ \t\r\n]+in(?![A-Za-z0-9_]))
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
    | (?P<compare><=|>=|==|!=|<(?!<|>)|>(?!>))
    | (?P<arithmetic>\*(?!\*)|/(?!/)|%|\+|-(?!>))
    | (?P<open>\()
    | (?P<close>\))
    | (?P<comma>,)""",
    re.VERBOSE,
)
_UNIT = re.compile(r"(?<=[0-9])(?![eE][+-]?[0-9])[A-Za-z_].*")
_WORDS = {"and": "connective", "or": "connective", "in": "compare", "not": "not"}
_OPERANDS = frozenset({"number", "text", "name"})
_ONE_LINE = str.maketrans("\t\r\n", "   ")
_TRUTHS = frozenset({"True", "False"})

# What people write from habit, and what the language says instead.
_INSTEAD = {
    "&&": "write `and`", "||": "write `or`", "!": "write `not`", "=": "compare with `==`", "<>": "write `!=`",
    "**": "multiply instead", "//": "write `floor(a / b)`", "&": "write `and`", "|": "write `or`", "^": "write `!=`",
    "~": "write `not`", ":=": "a condition gives nothing a name", "[": "write options in round brackets",
    "]": "write options in round brackets", "{": "write options in round brackets",
    "}": "write options in round brackets", "#": "leave comments out; write them in YAML", ";": "write one condition",
    "?": "write `and`/`or`", ".": "write numbers with a digit before and after the point",
    "≥": "write `>=`", "≤": "write `<=`", "≠": "write `!=`", "×": "write `*`", "÷": "write `/`", "−": "write `-`",
    "“": 'write `"`', "”": 'write `"`', "‘": "write `'`", "’": "write `'`", "（": "write `(`", "）": "write `)`",
    "，": "write `,`", "＞": "write `>`", "＜": "write `<`", "＝": "compare with `==`", "．": "write `.`",
    "\u3000": "write a plain space", "\u00a0": "write a plain space",
    "µ": "write `us` for microseconds", "μ": "write `us` for microseconds",
}  # fmt: skip
_INSTEAD_OF_WORDS = {
    "is": "compare with `==`", "None": "a missing name is UNKNOWN by itself; leave it out",
    "null": "a missing name is UNKNOWN by itself; leave it out", "if": "write `and`/`or`", "else": "write `and`/`or`",
    "lambda": "use the functions of the language", "for": "use the functions of the language",
    "await": "use the functions of the language", "yield": "use the functions of the language",
    "AND": "write `and`", "OR": "write `or`", "NOT": "write `not`", "IN": "write `in`", "xor": "write `!=`",
    "TRUE": "write `True`", "FALSE": "write `False`",
}  # fmt: skip
# Python's other keywords; as names they would break its parser.
_KEYWORDS = frozenset(
    {
        "as",
        "assert",
        "async",
        "break",
        "class",
        "continue",
        "def",
        "del",
        "elif",
        "except",
        "finally",
        "from",
        "global",
        "import",
        "nonlocal",
        "pass",
        "raise",
        "return",
        "try",
        "while",
        "with",
        "True",
        "False",
        "None",
    }
)


class Token(NamedTuple):
    """A piece of the text; `kind` is a group of the scanner's pattern, `connective`, or `not`."""

    kind: str
    text: str
    start: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.start + len(self.text))


@dataclass(frozen=True, slots=True)
class Scanned:
    """The text made ready for Python's parser, and what the placeholders in it stand for."""

    source: str
    """Without leading space; one line."""
    offset: int
    """How many characters of leading space are gone."""
    literals: Mapping[int, tuple[int | float, str]]
    """Literals with a unit, by the index of their first character in the original text."""


def scan(text: str) -> Scanned:
    """Cut `text` into tokens, check their order, and make it ready for Python's parser.

    Raises:
        SyntaxProblem: a sign, word or order of tokens that the language does not have.
        LimitExceeded: longer, deeper or with more tokens than terms/limits.py allows.
    """
    if len(text) > EXPRESSION_TEXT_MAX:
        raise LimitExceeded(
            "the length of an expression in characters",
            limit=EXPRESSION_TEXT_MAX,
            found=len(text),
            fix="split the rule",
        )
    tokens = _tokens(text)
    _check_order(text, tokens)
    pieces = list(text)
    literals: dict[int, tuple[int | float, str]] = {}
    for token in tokens:
        if token.kind == "number":
            value, unit = _number(text, token)
            if unit:
                literals[token.start] = (value, unit)
                pieces[token.start : token.start + len(token.text)] = "_" * len(token.text)
    source = "".join(pieces).translate(_ONE_LINE)
    stripped = source.lstrip(" ")
    return Scanned(source=stripped, offset=len(source) - len(stripped), literals=literals)


def refusal(text: str, span: Span, what: str, *, expected: str = "", fix: str = "") -> SyntaxProblem:
    """The error that says `what` is wrong at `span` of `text`."""
    return SyntaxProblem(Problem(code="syntax", what=what, expected=expected, fix=fix), text=text, span=span)


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _refused_sign(text, at)
        # The group of the unit closes first, so the last group of every match is the outer one, its kind.
        kind = match.lastgroup or "space"
        if kind == "name":
            kind = _WORDS.get(match[0], "name")
        if kind != "space":
            tokens.append(Token(kind, match[0], at))
            if kind == "name":
                _check_name(text, tokens[-1])
            elif kind == "text":
                _check_text(text, tokens[-1])
        at = match.end()
    # Every node but a call's brackets comes from at least one token that is neither bracket nor comma.
    weight = sum(token.kind not in ("open", "close", "comma") for token in tokens)
    if weight > EXPRESSION_NODES_MAX:
        raise LimitExceeded(
            "the size of an expression in names, numbers and operators",
            limit=EXPRESSION_NODES_MAX,
            found=weight,
            fix="split the rule",
        )
    return tokens


def _refused_sign(text: str, at: int) -> SyntaxProblem:
    for width in (2, 1):
        sign = text[at : at + width]
        if sign in _INSTEAD:
            return refusal(text, Span(at, at + len(sign)), f"`{sign}` is not in the language", fix=_INSTEAD[sign])
    sign = text[at]
    if sign in "\"'":
        return _refused_text(text, at)
    if not sign.isprintable():
        return _refused_invisible(text, at)
    return refusal(
        text, Span(at, at + 1), f"`{sign}` is not in the language", expected="names, numbers, texts and operators"
    )


def _refused_invisible(text: str, at: int) -> SyntaxProblem:
    code = f"U+{ord(text[at]):04X}"
    return refusal(text, Span(at, at + 1), f"the invisible character {code} is not in the language", fix="delete it")


def _refused_text(text: str, at: int) -> SyntaxProblem:
    escape = re.compile(r"""["'](?:[^"'\\\r\n]|\\["'\\nt])*(\\.)""", re.DOTALL).match(text, at)
    if escape:
        return refusal(
            text, Span(escape.start(1), escape.end(1)), "unknown escape in a text", expected=r"one of \\ \" \' \n \t",
            fix=r"write \\ for a backslash",
        )  # fmt: skip
    end = text.find("\n", at)
    return refusal(
        text, Span(at, end if end >= 0 else len(text)), "the text is never closed", fix=f"close it with {text[at]}"
    )


def _check_name(text: str, token: Token) -> None:
    """Refuse words that are no names: Python's keywords, leading underscores, dots anywhere but in `threshold.x`."""
    name = token.text
    if name in _INSTEAD_OF_WORDS:
        raise refusal(text, token.span, f"`{name}` is not in the language", fix=_INSTEAD_OF_WORDS[name])
    if name not in _KEYWORDS and "." not in name and name[0] != "_":
        return
    parts = name.split(".")
    if token.text not in _TRUTHS and not (_KEYWORDS | _WORDS.keys()).isdisjoint(parts):
        raise refusal(
            text, token.span, f"`{name}` is a word of Python, not a name", expected="a name of the vocabulary"
        )
    if any(part.startswith("_") for part in parts):
        raise refusal(text, token.span, f"`{name}` starts with an underscore", expected="a name of the vocabulary")
    if len(parts) > 1 and (parts[0] + "." != THRESHOLD_PREFIX or len(parts) > 2):
        raise refusal(text, token.span, f"`{name}` has a dot", expected="a plain name, or `threshold.` and one name")


def _check_text(text: str, token: Token) -> None:
    """Refuse characters nobody can see in a text: controls, halves of a pair, marks that turn the direction."""
    for index, character in enumerate(token.text, token.start):
        if not character.isprintable() and character not in "\u3000\u00a0":
            raise _refused_invisible(text, index)


def _check_order(text: str, tokens: list[Token]) -> None:
    """Refuse values without an operator between them, operators without a value, brackets that do not match."""
    opened: list[Token] = []
    previous: Token | None = None
    wants_value = True
    run = 0
    for token in tokens:
        if wants_value or previous is None:
            run = run + 1 if token.kind in ("arithmetic", "not") else 0
            wants_value = _value_follows(text, token, previous)
        else:
            wants_value = _operator_follows(text, token, previous, opened)
        if token.kind == "open":
            opened.append(token)
        elif token.kind == "close":
            if not opened:
                raise refusal(text, token.span, "`)` closes nothing", fix="delete it")
            opened.pop()
        if len(opened) + run > EXPRESSION_DEPTH_MAX:
            raise LimitExceeded("the depth of an expression", limit=EXPRESSION_DEPTH_MAX, fix="split the rule")
        previous = token
    if previous is None:
        raise refusal(text, Span(0, len(text)), "the expression is empty", expected="a condition")
    if wants_value:
        raise _refused_end(text, previous)
    if opened:
        raise refusal(text, opened[-1].span, "`(` is never closed", fix="close it with `)`")


def _value_follows(text: str, token: Token, previous: Token | None) -> bool:
    """Where a value is wanted: whether one is still wanted after `token`."""
    if token.kind in _OPERANDS:
        return False
    if token.kind in ("open", "not") or (token.kind == "arithmetic" and token.text == "-"):
        return True
    if token.kind == "close" and previous is not None and previous.kind == "comma":
        return False
    if token.kind == "arithmetic" and token.text == "+" and (previous is None or previous.text in ("(", ",")):
        raise refusal(text, token.span, "`+` before a value says nothing", fix="delete it")
    after = f"after `{previous.text}`" if previous else "at the start"
    raise refusal(text, token.span, f"`{token.text}` cannot stand {after}", expected="a value")


def _operator_follows(text: str, token: Token, previous: Token, opened: list[Token]) -> bool:
    """Where an operator is wanted: whether a value is wanted after `token`."""
    if token.kind in ("connective", "compare", "arithmetic", "not_in"):
        return True
    if token.kind == "close":
        return False
    if token.kind == "comma" and opened:
        return True
    if token.kind == "open" and previous.kind == "name":
        return True
    if token.kind == "comma":
        raise refusal(text, token.span, "`,` stands outside brackets", expected="an operator")
    raise refusal(
        text,
        Span(previous.start, token.span.end),
        f"no operator between `{previous.text}` and `{token.text}`",
        expected="`and`, `or`, a comparison or an arithmetic operator",
    )


def _refused_end(text: str, last: Token) -> SyntaxProblem:
    fix = "write a share as a number between 0 and 1, as in 0.9" if last.text == "%" else ""
    return refusal(text, last.span, f"the expression ends after `{last.text}`", expected="a value", fix=fix)


def _number(text: str, token: Token) -> tuple[int | float, str]:
    """The value and the unit of a number token: digits, point, exponent, then a unit of terms/unit.py or nothing."""
    digits = _UNIT.sub("", token.text)
    unit = token.text[len(digits) :]
    if unit and unit not in LITERAL_UNITS:
        raise _refused_unit(text, Span(token.start + len(digits), token.span.end), unit)
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        raise refusal(text, token.span, f"`{digits}` starts with a zero", fix="delete the zero")
    if isinf(float(digits)) or (unit and isinf(LITERAL_UNITS[unit].in_base(float(digits)))):
        raise refusal(text, token.span, "the number is too large", expected="at most 1.7e308")
    return (int(digits) if digits.isdigit() else float(digits)), unit


def _refused_unit(text: str, span: Span, unit: str) -> SyntaxProblem:
    if unit.startswith("_"):
        return refusal(
            text, span, f"`{unit}` stands behind a number", expected="digits or a unit", fix="write digits without `_`"
        )
    near = [known for known in LITERAL_UNITS if known.lower() == unit.lower() or known == unit.rstrip("s")]
    known = ", ".join(LITERAL_UNITS)
    fix = f"did you mean `{near[0]}`?" if near else ""
    return refusal(text, span, f"`{unit}` is not a unit", expected="" if near else f"one of {known}", fix=fix)
