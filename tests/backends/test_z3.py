"""Proofs about conditions, and the back-end held against the walk on random ones."""

from hypothesis import given

from knockon.backends import BACKENDS
from knockon.backends.python.walk import judge_one
from knockon.backends.z3.backend import proofs
from knockon.expr.parse import parse
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar
from tests.property import expressions as random

BACKEND = BACKENDS["z3"]


@given(random.conditions, random.values | random.full_values)
def test_random_conditions_come_out_as_the_walk_has_them(condition: random.Node, values: dict[str, Scalar]) -> None:
    assert BACKEND.compile([condition], random.VOCABULARY).judge(values) == [
        judge_one(condition, values, vocabulary=random.VOCABULARY)
    ]


def test_what_can_be_has_a_witness_that_the_walk_agrees_on() -> None:
    node = parse("heads % ranks != 0 and engine_version > '0.10' and attention in ('gqa', 'mqa') and load_ratio > 0.25")

    found = proofs({"c": node}, random.VOCABULARY, {}).can(hold=["c"])

    assert found.can
    assert judge_one(node, found.witness, vocabulary=random.VOCABULARY) is Truth.TRUE


def test_what_cannot_be_is_proved() -> None:
    node = parse("heads > ranks and ranks > heads")

    assert proofs({"c": node}, random.VOCABULARY, {}).can(hold=["c"]).can is False


def test_unknown_is_neither_true_nor_false() -> None:
    asked = proofs({"c": parse("heads > 4")}, random.VOCABULARY, {})

    assert asked.can(without=["c"], hold=[]).can
    assert asked.can(hold=["c"], fail=["c"]).can is False
