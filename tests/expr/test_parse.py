import pytest

from knockon.expr.nodes import And, Arithmetic, Bool, Call, Compare, Member, Name, Negative, Node, Not, Number, Or, Text
from knockon.expr.parse import parse
from knockon.terms.errors import LimitExceeded, SyntaxProblem
from knockon.terms.place import Span


@pytest.mark.parametrize(
    ("text", "node"),
    [
        pytest.param("a", Name("a"), id="name"),
        pytest.param("threshold.kv_high", Name("threshold.kv_high"), id="threshold"),
        pytest.param("threshold.true", Name("threshold.true"), id="threshold-called-like-a-truth"),
        pytest.param("7", Number(7), id="int"),
        pytest.param("0.5", Number(0.5), id="float"),
        pytest.param("1e3", Number(1000.0), id="exponent"),
        pytest.param("80GiB", Number(80, "GiB"), id="int-with-unit"),
        pytest.param("0.5ms", Number(0.5, "ms"), id="float-with-unit"),
        pytest.param("2e-3s", Number(0.002, "s"), id="exponent-with-unit"),
        pytest.param('"gqa"', Text("gqa"), id="double-quotes"),
        pytest.param("'gqa'", Text("gqa"), id="single-quotes"),
        pytest.param(r'"a\"b\\c\n"', Text('a"b\\c\n'), id="escapes"),
        pytest.param("True", Bool(True), id="true"),
        pytest.param("false", Bool(False), id="lower-case-false"),
        pytest.param("-a", Negative(Name("a")), id="minus"),
        pytest.param("not a", Not(Name("a")), id="not"),
        pytest.param("a % 2", Arithmetic("%", Name("a"), Number(2)), id="remainder"),
        pytest.param("max(a, 1)", Call("max", (Name("a"), Number(1))), id="call"),
        pytest.param("a != 1", Compare("!=", Name("a"), Number(1)), id="comparison"),
        pytest.param('a in ("x", "y",)', Member(Name("a"), (Text("x"), Text("y"))), id="in"),
        pytest.param("a not  in (-1, 2s)", Member(Name("a"), (Number(-1), Number(2, "s")), negated=True), id="not-in"),
        pytest.param("a\n  and\tb", And((Name("a"), Name("b"))), id="folded-lines"),
        pytest.param("a and b or c", Or((And((Name("a"), Name("b"))), Name("c"))), id="and-before-or"),
        pytest.param("a and b and c", And((Name("a"), Name("b"), Name("c"))), id="one-and-of-three"),
        pytest.param(
            "1 < a <= 2",
            And((Compare("<", Number(1), Name("a")), Compare("<=", Name("a"), Number(2)))),
            id="chain",
        ),
    ],
)
def test_text_becomes_nodes(text: str, node: Node) -> None:
    assert parse(text) == node


def test_spans_count_characters_where_the_parser_counts_bytes() -> None:
    node = parse('  x == "显存墙" and 80GiB < y')

    assert isinstance(node, And)
    first, second = node.items
    assert isinstance(second, Compare)
    assert [item.span for item in (node, first, second, second.left, second.right)] == [
        Span(2, 26),
        Span(2, 12),
        Span(17, 26),
        Span(17, 22),
        Span(25, 26),
    ]


def test_spans_of_a_chain_cover_its_links() -> None:
    node = parse("1 < a < 8")

    assert isinstance(node, And)
    assert [item.span for item in (node, *node.items)] == [Span(0, 9), Span(0, 5), Span(4, 9)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "a = b",
            "`=` is not in the language; compare with `==`\na = b\n  ^",
            id="one-equals-sign",
        ),
        pytest.param(
            "a b",
            "no operator between `a` and `b`; expected `and`, `or`, a comparison or an arithmetic operator\na b\n^^^",
            id="no-operator",
        ),
        pytest.param(
            "a > 90%",
            "the expression ends after `%`; expected a value; write a share as a number between 0 and 1, as in 0.9\n"
            "a > 90%\n      ^",
            id="per-cent",
        ),
        pytest.param("a > 1kB", "`kB` is not a unit; did you mean `KB`?\na > 1kB\n     ^^", id="other-case-of-a-unit"),
        pytest.param("a is None", "`is` is not in the language; compare with `==`\na is None\n  ^^", id="is"),
        pytest.param(
            "a and None",
            "`None` is not in the language; a missing name is UNKNOWN by itself; leave it out\na and None\n      ^^^^",
            id="none",
        ),
        pytest.param("a ＞ 3", "`＞` is not in the language; write `>`\na ＞ 3\n  ^", id="full-width-sign"),
        pytest.param("“x” == a", '`“` is not in the language; write `"`\n“x” == a\n^', id="curly-quote"),
        pytest.param(
            "a == '\ud800'",
            "the invisible character U+D800 is not in the language; delete it\n"
            "a == '\N{REPLACEMENT CHARACTER}'\n      ^",
            id="half-of-a-pair",
        ),
        pytest.param(
            "a == '\u202e'",
            "the invisible character U+202E is not in the language; delete it\n"
            "a == '\N{REPLACEMENT CHARACTER}'\n      ^",
            id="mark-that-turns-the-direction",
        ),
        pytest.param(
            r'a == "\d"',
            "unknown escape in a text; expected one of \\\\ \\\" \\' \\n \\t; write \\\\ for a backslash\n"
            'a == "\\d"\n      ^^',
            id="unknown-escape",
        ),
        pytest.param(
            "a and\nb > _c",
            "`_c` starts with an underscore; expected a name of the vocabulary\nb > _c\n    ^^",
            id="second-line",
        ),
        pytest.param(
            "a in ('x')",
            '`in` needs a list; expected literals in brackets, as in ("a", "b"); compare one value with `==`\n'
            "a in ('x')\n      ^^^",
            id="one-option-without-comma",
        ),
        pytest.param(
            "a < b in (1,)",
            "`in` cannot stand in a chain; join the two with `and`\na < b in (1,)\n^^^^^^^^^^^^^",
            id="in-chain",
        ),
        pytest.param("012 < a", "`012` starts with a zero; delete the zero\n012 < a\n^^^", id="leading-zero"),
    ],
)
def test_refusal_says_where_and_what_to_write_instead(text: str, said: str) -> None:
    with pytest.raises(SyntaxProblem) as raised:
        parse(text)

    assert str(raised.value) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "a" * 4001,
            "the length of an expression in characters is over the limit of 4,000, found 4,001; split the rule",
            id="text",
        ),
        pytest.param(
            "(" * 61 + "a" + ")" * 61,
            "the depth of an expression is over the limit of 60; split the rule",
            id="brackets",
        ),
        pytest.param("-" * 60 + "a", "the depth of an expression is over the limit of 60; split the rule", id="signs"),
        pytest.param(
            "not " * 61 + "a", "the depth of an expression is over the limit of 60; split the rule", id="nots"
        ),
        pytest.param("a" + " + a" * 60, "the depth of an expression is over the limit of 60; split the rule", id="sum"),
        pytest.param(
            "a" + " and a" * 250,
            "the size of an expression in names, numbers and operators is over the limit of 500, "
            "found 501; split the rule",
            id="tokens",
        ),
        pytest.param(
            "a < " * 200 + "a",
            "the number of nodes of an expression is over the limit of 500; split the rule",
            id="chain-read-twice",
        ),
        pytest.param(
            "(" * 10_000,
            "the length of an expression in characters is over the limit of 4,000, found 10,000; split the rule",
            id="ten-thousand-brackets",
        ),
        pytest.param(
            "a < (" * 12 + "a" + ") < a" * 12,
            "the number of nodes of an expression is over the limit of 500; split the rule",
            id="chains-in-chains",
        ),
    ],
)
def test_what_is_too_large_is_refused_before_it_costs(text: str, said: str) -> None:
    with pytest.raises(LimitExceeded) as raised:
        parse(text)

    assert str(raised.value) == said


def test_largest_expression_of_each_kind_is_read() -> None:
    for text in ("(" * 59 + "a" + ")" * 59, "-" * 59 + "a", "a" + " + a" * 58, "a" + " and a" * 249):
        assert parse(text)
