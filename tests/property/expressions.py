"""Random nodes as the parser makes them, conditions that hold against one small vocabulary, and values for it."""

from typing import get_args

from hypothesis import strategies as st

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
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.unit import LITERAL_UNITS, parse_unit
from knockon.terms.words import Scalar

BYTE, SECOND = parse_unit("byte"), parse_unit("second")
VOCABULARY = Vocabulary(
    {
        info.name: info
        for info in (
            NameInfo("heads", "fact", "int"),
            NameInfo("ranks", "fact", "int"),
            NameInfo("load_ratio", "reading", "number", minimum=0, maximum=1),
            NameInfo("threshold.load_high", "threshold", "number"),
            NameInfo("pool_bytes", "fact", "int", BYTE),
            NameInfo("used_bytes", "reading", "number", BYTE),
            NameInfo("wait_s", "reading", "number", SECOND),
            NameInfo("eager", "fact", "bool"),
            NameInfo("chunked", "fact", "bool"),
            NameInfo("attention", "fact", "text", options=("mha", "gqa", "mqa", "mla")),
            NameInfo("dtype", "fact", "text"),
            NameInfo("engine_version", "fact", "version"),
            NameInfo("driver_version", "fact", "version"),
        )
    }
)
PLAIN_NAMES = ("heads", "ranks", "load_ratio", "threshold.load_high")
VERSIONS = ("0.9", "0.10.0", "0.10.2", "0.11.0rc1", "0.11.0", "1.0.post1")

_COMPARE_OPERATORS: tuple[CompareOperator, ...] = get_args(CompareOperator)
_ARITHMETIC_OPERATORS: tuple[ArithmeticOperator, ...] = get_args(ArithmeticOperator)

# Signs of every kind that a text may hold: no controls but the two with an escape, no halves of a pair.
_TEXTS = st.text(
    st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"]) | st.sampled_from(" \n\t\"'\\　"), max_size=6
)
_NAMES = st.from_regex(r"(threshold\.)?[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: (
        not {"and", "or", "not", "in", "is", "if", "as", "for", "def", "del", "try", "true", "false"}
        & {*name.split(".")}
    )
)
_INTS = st.integers(0, 10**20)
_FLOATS = st.floats(0, 1e300, allow_nan=False)
_NUMBERS = st.builds(Number, _INTS | _FLOATS, st.sampled_from(["", "", *LITERAL_UNITS])).filter(
    lambda number: not number.unit or number.value < 1e290
)


def _signed(number: Number) -> st.SearchStrategy[Number]:
    return st.sampled_from([number, Number(-number.value, number.unit)])


_OPTIONS = _NUMBERS.flatmap(_signed) | st.builds(Text, _TEXTS) | st.builds(Bool, st.booleans())


def _larger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Negative, inner),
        st.builds(Not, inner),
        st.builds(Arithmetic, st.sampled_from(_ARITHMETIC_OPERATORS), inner, inner),
        st.builds(Compare, st.sampled_from(_COMPARE_OPERATORS), inner, inner),
        st.builds(Member, inner, st.lists(_OPTIONS, min_size=1, max_size=3).map(tuple), st.booleans()),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Call, st.sampled_from(["min", "max"]), several),
        st.builds(Call, st.sampled_from(["abs", "ceil", "floor"]), st.tuples(inner)),
    )


any_nodes: st.SearchStrategy[Node] = st.recursive(
    _NUMBERS | st.builds(Text, _TEXTS) | st.builds(Bool, st.booleans()) | st.builds(Name, _NAMES),
    _larger,
    max_leaves=12,
)
"""Nodes of any shape the parser can give, whether or not their types fit."""


def _compared(terms: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.builds(Compare, st.sampled_from(_COMPARE_OPERATORS), terms, terms)


def _plain_larger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        st.builds(Negative, inner),
        st.builds(Arithmetic, st.sampled_from(["+", "-", "*", "/"]), inner, inner),
        st.builds(Call, st.sampled_from(["min", "max"]), st.tuples(inner, inner)),
        st.builds(Call, st.sampled_from(["abs", "ceil", "floor"]), st.tuples(inner)),
        st.builds(
            Arithmetic,
            st.just("%"),
            st.builds(Name, st.sampled_from(["heads", "ranks"])),
            st.builds(Number, st.integers(0, 5)),
        ),
    )


_plain_terms: st.SearchStrategy[Node] = st.recursive(
    st.builds(Name, st.sampled_from(PLAIN_NAMES)) | st.builds(Number, st.sampled_from([0, 1, 2, 3, 0.5, 8, 1e200])),
    _plain_larger,
    max_leaves=5,
)
_byte_terms: st.SearchStrategy[Node] = st.recursive(
    st.sampled_from([Name("pool_bytes"), Name("used_bytes"), Number(2, "KiB"), Number(1.5, "MB"), Number(4096, "B")]),
    lambda inner: (
        st.builds(Arithmetic, st.sampled_from(["+", "-"]), inner, inner)
        | st.builds(Arithmetic, st.just("*"), inner, st.builds(Name, st.sampled_from(["heads", "load_ratio"])))
        | st.builds(Call, st.sampled_from(["min", "max"]), st.tuples(inner, inner))
    ),
    max_leaves=4,
)
_second_terms: st.SearchStrategy[Node] = st.sampled_from(
    [Name("wait_s"), Number(2, "s"), Number(0.5, "ms"), Number(1), Arithmetic("/", Name("wait_s"), Name("heads"))]
)
_truths = st.builds(Name, st.sampled_from(["eager", "chunked"]))
_equality = st.sampled_from(["==", "!="])
_attention_options = st.sampled_from(["mha", "gqa", "mqa", "mla"])
_versions = st.builds(Name, st.sampled_from(["engine_version", "driver_version"]))
_version_literals = st.builds(Text, st.sampled_from(VERSIONS))

_comparisons: st.SearchStrategy[Node] = st.one_of(
    # Names of a ratio with a literal out of its range are refused, so the two stand in terms.
    _compared(_plain_terms.map(lambda term: Arithmetic("+", term, Number(0)))),
    _compared(_byte_terms),
    _compared(_second_terms),
    _truths,
    st.builds(Compare, _equality, _truths, _truths | st.builds(Bool, st.booleans())),
    st.builds(Compare, _equality, st.just(Name("attention")), st.builds(Text, _attention_options)),
    st.builds(Compare, _equality, st.just(Name("dtype")), st.builds(Text, st.sampled_from(["fp8", "auto"]))),
    st.builds(Compare, _equality, st.just(Name("dtype")), st.just(Name("attention"))),
    st.builds(
        Member,
        st.just(Name("attention")),
        st.lists(st.builds(Text, _attention_options), min_size=1).map(tuple),
        st.booleans(),
    ),
    st.builds(
        Member,
        st.sampled_from([Name("heads"), Name("ranks")]),
        st.just((Number(1), Number(-2), Number(8))),
        st.booleans(),
    ),
    st.builds(Member, st.just(Name("pool_bytes")), st.just((Number(2, "KiB"), Number(0))), st.booleans()),
    st.builds(Member, _truths, st.just((Bool(True),)), st.booleans()),
    st.builds(Member, _versions, st.lists(_version_literals, min_size=1, max_size=2).map(tuple), st.booleans()),
    st.builds(Compare, st.sampled_from(_COMPARE_OPERATORS), _versions, _versions | _version_literals),
    st.builds(Bool, st.booleans()),
)
conditions: st.SearchStrategy[Node] = st.recursive(
    _comparisons,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=6,
)
"""Conditions that hold against `VOCABULARY`."""

numeric_conditions: st.SearchStrategy[Node] = st.recursive(
    _compared(
        st.builds(Arithmetic, st.sampled_from(["+", "-", "*", "/", "/"]), _plain_terms, _plain_terms)
        | st.builds(Call, st.sampled_from(["min", "max"]), st.tuples(_plain_terms, _plain_terms, _plain_terms))
    ),
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.lists(inner | _truths, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(inner | _truths, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=4,
)
"""Conditions of `VOCABULARY` that every back-end has words for, with much arithmetic in them."""

_small = st.sampled_from(
    [0, 1, 2, 3, 8, -2, 0.5, 1.0, 2048, 1e308, -1e308, 5e-324, 10**400, 2**60, float("nan"), float("inf")]
)
_wild: st.SearchStrategy[Scalar] = st.one_of(
    _small, st.booleans(), st.sampled_from(["mha", "gqa", "fp8", "", "main", *VERSIONS]), st.integers(), st.floats()
)
_fitting: dict[str, st.SearchStrategy[Scalar]] = {
    "bool": st.booleans(),
    "text": st.sampled_from(["mha", "gqa", "mla", "fp8", "auto"]),
    "version": st.sampled_from(VERSIONS),
}
values: st.SearchStrategy[dict[str, Scalar]] = st.fixed_dictionaries(
    {}, optional={name: _fitting.get(info.type, _small) | _wild for name, info in VOCABULARY.names.items()}
)
"""What may be known: some names absent, some values of another type than the vocabulary says."""

full_values: st.SearchStrategy[dict[str, Scalar]] = st.fixed_dictionaries(
    {name: _fitting.get(info.type, st.sampled_from([1, 2, 3, 8, 0.5, 2048])) for name, info in VOCABULARY.names.items()}
)
"""Every name with a value of its type."""

odd_numbers: st.SearchStrategy[dict[str, Scalar]] = st.fixed_dictionaries(
    {
        name: st.booleans()
        if info.type == "bool"
        else st.sampled_from([0, 0, 1, 2, 3, -2, -7, 0.5, 1e308, float("nan")])
        for name, info in VOCABULARY.names.items()
        if info.is_numeric or info.type == "bool"
    }
)
"""Every number and truth with a value, among them those that arithmetic stumbles over."""
