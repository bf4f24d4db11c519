"""Laws of the language that hold for every expression and every set of values."""

from hypothesis import given
from hypothesis import strategies as st

from knockon.backends import BACKENDS
from knockon.backends.python.compiled import Rules
from knockon.backends.python.reasons import evidence, lacking
from knockon.backends.python.walk import judge_one, value_of
from knockon.expr.names import parts
from knockon.expr.nodes import And, Node, Not, Number, Or
from knockon.expr.normal import normal
from knockon.expr.parse import parse
from knockon.expr.show import show
from knockon.terms.errors import KnockonError, LimitExceeded, SyntaxProblem
from knockon.terms.truth import Truth, all_of, any_of
from knockon.terms.words import Scalar
from tests.property.expressions import VOCABULARY, any_nodes, conditions, full_values, values
from tests.texts import texts

PYTHON = BACKENDS["python"]


def refusal(text: str) -> KnockonError | None:
    try:
        parse(text)
    except KnockonError as error:
        return error
    return None


def nodes_in(node: Node) -> list[Node]:
    return [node, *(inner for part in parts(node) for inner in nodes_in(part))]


@given(any_nodes)
def test_shown_node_parses_to_itself(node: Node) -> None:
    assert parse(show(node)) == node


@given(any_nodes)
def test_span_of_every_parsed_node_holds_its_own_text(node: Node) -> None:
    text = f"  {show(node)}"

    for inner in nodes_in(parse(text)):
        assert parse(text[inner.span.start : inner.span.end]) == inner


@given(texts(max_size=40) | st.text("ab1.()+-*/%<>=!,\"'\\ \n_andornotinsmGiB", max_size=40))
def test_any_text_is_an_expression_or_a_clear_refusal(text: str) -> None:
    refused = refusal(text)

    if refused is None:
        assert parse(show(parse(text))) == parse(text)
    else:
        assert isinstance(refused, SyntaxProblem)
        assert 0 <= refused.span.start <= refused.span.end <= len(text)
        assert refused.problem.expected or refused.problem.fix
        assert str(refused).encode()


@given(any_nodes)
def test_normal_form_is_a_fixed_point_without_not_and_units(node: Node) -> None:
    once = normal(node)

    assert normal(once) == once
    inner = nodes_in(once)
    assert not [found for found in inner if isinstance(found, Not)]
    assert not [found for found in inner if isinstance(found, Number) and found.unit]
    joined = [found for found in inner if isinstance(found, And | Or)]
    assert not [found for found in joined if any(type(item) is type(found) for item in found.items)]


@given(any_nodes, values)
def test_no_expression_and_no_value_crashes_a_question(node: Node, known: dict[str, Scalar]) -> None:
    assert judge_one(node, known) in Truth
    assert judge_one(node, known, vocabulary=VOCABULARY) in Truth
    value_of(node, known)
    evidence(node, known)
    lacking(node, known)


@given(conditions, values)
def test_normal_form_keeps_the_verdict(node: Node, known: dict[str, Scalar]) -> None:
    assert judge_one(normal(node), known, vocabulary=VOCABULARY) is judge_one(node, known, vocabulary=VOCABULARY)


@given(st.lists(conditions, min_size=1, max_size=5), values | full_values)
def test_generated_function_gives_the_verdicts_of_the_walk(nodes: list[Node], known: dict[str, Scalar]) -> None:
    compiled = PYTHON.compile(nodes, VOCABULARY)

    assert compiled.judge(known) == [judge_one(node, known, vocabulary=VOCABULARY) for node in nodes]


@given(conditions, full_values, st.data())
def test_more_values_never_turn_true_and_false_into_each_other(
    node: Node, known: dict[str, Scalar], data: st.DataObject
) -> None:
    kept = data.draw(st.sets(st.sampled_from(sorted(known))))
    fewer = {name: known[name] for name in kept}

    before = judge_one(node, fewer, vocabulary=VOCABULARY)
    after = judge_one(node, known, vocabulary=VOCABULARY)

    assert before in (after, Truth.UNKNOWN)


@given(conditions, values)
def test_not_inverts_and_joins_follow_kleene(node: Node, known: dict[str, Scalar]) -> None:
    truth = judge_one(node, known, vocabulary=VOCABULARY)

    assert judge_one(Not(node), known, vocabulary=VOCABULARY) is ~truth
    assert judge_one(And((node, Not(node))), known, vocabulary=VOCABULARY) is all_of([truth, ~truth])
    assert judge_one(Or((node, Not(node))), known, vocabulary=VOCABULARY) is any_of([truth, ~truth])


@given(conditions, values)
def test_evidence_joined_again_gives_the_verdict_of_a_flat_condition(node: Node, known: dict[str, Scalar]) -> None:
    truths = [atom.truth for atom in evidence(And((node, node)), known, vocabulary=VOCABULARY)]
    single = [atom.truth for atom in evidence(node, known, vocabulary=VOCABULARY)]

    assert truths == single * 2


@given(conditions, full_values, st.data())
def test_values_that_are_not_lacking_never_change_an_unknown(
    node: Node, known: dict[str, Scalar], data: st.DataObject
) -> None:
    kept = data.draw(st.sets(st.sampled_from(sorted(known))))
    fewer = {name: known[name] for name in kept}

    wanted = lacking(node, fewer, vocabulary=VOCABULARY)
    more = {name: value for name, value in known.items() if name not in wanted}

    assert judge_one(node, more, vocabulary=VOCABULARY) is judge_one(node, fewer, vocabulary=VOCABULARY)


@given(st.integers(1, 12), st.sampled_from(["(", "-", "not ", "min(1, ", "1 + (", "a and (", "a < ("]))
def test_deep_nesting_is_refused_and_never_crashes(times: int, opening: str) -> None:
    refused = refusal(opening * (times * 300))

    assert isinstance(refused, LimitExceeded | SyntaxProblem)


@given(st.lists(conditions, min_size=1, max_size=5), values | full_values)
def test_explained_truths_are_those_of_the_judge_and_evidence_that_of_the_walk(
    nodes: list[Node], known: dict[str, Scalar]
) -> None:
    compiled = PYTHON.compile(nodes, VOCABULARY)
    assert isinstance(compiled, Rules)

    told = compiled.explain(known)

    assert [one if isinstance(one, Truth) else Truth.TRUE for one in told] == compiled.judge(known)
    for node, one in zip(nodes, told, strict=True):
        if not isinstance(one, Truth):
            said, truths, seen = one
            atoms = evidence(normal(node), known, vocabulary=VOCABULARY)
            assert [(atom.text, atom.truth) for atom in atoms] == list(zip(said.texts, truths, strict=True))
            assert len(seen) == len(said.names)
