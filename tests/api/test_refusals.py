import logging
from typing import Any

import pytest

from knockon.api.refusals import _LISTED_BY
from knockon.api.schema import executable
from knockon.jobs.knowledge import Knowledge
from knockon.terms.limits import ASKED_TEXT_MAX
from tests.api.asking import Held, answered, asked, codes, knowledge, one_revision, refused
from tests.catalog.bundles import technique

LOOK = "the schema is at /ide, and `knockon schema` prints it"


@pytest.mark.parametrize(
    ("query", "code", "message", "expected"),
    [
        pytest.param(
            "{ technique(id: \"a\") { ... on Technique { nam } } }", "unknown-field",
            "Cannot query field 'nam' on type 'Technique'. Did you mean 'name'?", "a field of that type", id="field",
        ),
        pytest.param(
            "{ emptyCells(state: EMPTY) { layer } }", "bad-value",
            "Value 'EMPTY' does not exist in 'CellState' enum.", "a value of that type", id="enum",
        ),
        pytest.param(
            "{ technique(name: \"a\") { __typename } }", "unknown-argument",
            "Unknown argument 'name' on field 'Query.technique'.", "an argument of that field", id="argument",
        ),
        pytest.param(
            "{ axes }", "bad-selection",
            "Field 'axes' of type 'Axes!' must have a selection of subfields. Did you mean 'axes { ... }'?",
            "fields in braces on objects, and none on scalars", id="no selection",
        ),
        pytest.param(
            "{ technique(id: \"a\") { ... on Tecnique { id } } }", "unknown-type",
            "Unknown type 'Tecnique'. Did you mean 'Technique'?", "a type of the schema", id="type",
        ),
        pytest.param(
            "{ axes {", "graphql-syntax",
            "Syntax Error: Expected Name, found <EOF>.", "a GraphQL document", id="syntax",
        ),
        pytest.param(
            "subscription { axes }", "invalid-document",
            "The subscription operation is not supported by the schema.", "a query, or a mutation of the schema",
            id="subscription",
        ),
    ],
)  # fmt: skip
def test_document_that_does_not_fit_says_what_was_expected(query: str, code: str, message: str, expected: str) -> None:
    errors = refused(query)

    first = errors[0]
    assert first["extensions"] == {"code": code, "what": message, "expected": expected, "fix": LOOK}
    assert first["message"] == message
    assert [sorted(place) for place in first["locations"]] == [["column", "line"]]


@pytest.mark.parametrize(
    ("query", "variables", "message"),
    [
        pytest.param(
            "query ($state: CellState) { emptyCells(state: $state) { layer } }", {"state": "EMPTY"},
            "Variable '$state' has invalid value: Value 'EMPTY' does not exist in 'CellState' enum.", id="enum",
        ),
        pytest.param(
            "query ($id: ID!) { technique(id: $id) { __typename } }", {},
            "Variable '$id' has invalid value: Expected a value of non-null type 'ID!' to be provided.", id="missing",
        ),
        pytest.param(
            "query ($set: [SettingInput!]) { check(input: {set: $set}) { __typename } }",
            {"set": [{"name": "tensor_parallel_size", "value": [8]}]},
            "Variable '$set' has invalid value at [0].value: "
            "Expected value of type 'Value', but encountered error 'Value cannot be list: "
            "expected a number, text, true or false'; found: [8].",
            id="scalar",
        ),
    ],
)  # fmt: skip
def test_variable_that_does_not_fit_is_refused(query: str, variables: Any, message: str) -> None:
    given_back = answered(query, **variables)

    assert given_back.is_refused
    assert codes(list(given_back.body["errors"])) == ["bad-value"]
    assert given_back.body["errors"][0]["message"] == message


def test_operation_that_is_not_there_is_refused() -> None:
    errors = refused("query One { axes { stages { id } } } query Two { axes { stages { id } } }")

    assert codes(errors) == ["bad-value"]


class Broken(Held):
    """Fails as only our own mistake could."""

    def knowledge(self, number: int | None) -> Knowledge:
        raise ZeroDivisionError(f"secret of revision {number}")


def test_our_own_fault_is_logged_whole_and_shown_as_a_request_id(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="knockon"):
        given_back = answered("{ axes { stages { id } } }", of=Broken(one_revision().held))

    assert given_back.body == {
        "data": None,
        "errors": [
            {
                "message": "internal error; report it with the request id request-1",
                "extensions": {
                    "code": "internal-error",
                    "what": "internal error",
                    "fix": "report it with the request id request-1",
                    "requestId": "request-1",
                },
                "locations": [{"line": 1, "column": 3}],
                "path": ["axes"],
            }
        ],
    }
    assert not given_back.is_final
    (record,) = caplog.records
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "secret of revision None"
    assert (vars(record)["request_id"], vars(record)["path"]) == ("request-1", ["axes"])


LONG = "x" * (ASKED_TEXT_MAX + 1)
FAR = "qqqqqqqq"


@pytest.mark.parametrize(
    "root",
    [
        f'technique(id: "{LONG}")',
        f'quantity(id: "{LONG}")',
        f'model(name: "{LONG}")',
        f'gpu(name: "{LONG}")',
        f'cell(stage: "{LONG}", layer: "L1", dimension: "compute")',
        f'cell(stage: "training", layer: "L1", dimension: "{LONG}")',
        f'locate(what: "{LONG}")',
        f'breaks(technique: "{LONG}")',
        f'place(input: {{stage: "{LONG}", layer: "L1", dimension: "compute"}})',
        f'check(input: {{model: "{LONG}"}})',
        f'check(input: {{gpu: "{LONG}"}})',
    ],
)
def test_name_longer_than_any_is_an_answer(root: str) -> None:
    found = asked(f"{{ found: {root} {{ __typename ... on InputProblem {{ code what fix }} }} }}")["found"]

    assert found == {
        "__typename": "InputProblem",
        "code": "limit-exceeded",
        "what": "a name is over the limit of 1,000, found 1,001",
        "fix": "ask with fewer characters",
    }


@pytest.mark.parametrize(
    "root", ["rule(id: $name)", "profile(name: $name)", "check(input: {engine: $name})", "breaks(technique: $name)"]
)
def test_no_name_however_long_or_odd_is_our_fault(root: str) -> None:
    query = (
        f"query ($name: {'ID' if 'id:' in root or 'technique' in root else 'String'}!) {{ x: {root} {{ __typename }} }}"
    )

    for name in ("", " ", LONG, "\0", "\u202e", "ß" * 999, "'\"\\"):
        assert asked(query, name=name)["x"]["__typename"] in ("NotFound", "InputProblem")


@pytest.mark.parametrize(
    ("root", "fix"),
    [
        (f'technique(id: "{FAR}")', "the root `techniques` lists what is known"),
        (f'breaks(technique: "{FAR}")', "the root `techniques` lists what is known"),
        (f'quantity(id: "{FAR}")', "the root `quantities` lists what is known"),
        (f'model(name: "{FAR}")', "the root `models` lists what is known"),
        ('gpu(name: "H999")', "the root `gpus` lists what is known"),
        (f'check(input: {{gpu: "{FAR}"}})', "the root `gpus` lists what is known"),
        (f'rule(id: "{FAR}")', "the root `rules` lists what is known"),
        (
            f'check(input: {{set: [{{name: "{FAR}", value: 1}}]}})',
            "the root `vocabulary(kind: FACT)` lists what is known",
        ),
        (
            f'diagnose(input: {{set: [{{name: "{FAR}", value: 1}}]}})',
            "the root `vocabulary(kind: READING)` lists what is known",
        ),
    ],
)
def test_name_that_is_near_none_is_answered_with_where_the_known_ones_are(root: str, fix: str) -> None:
    found = asked(f"{{ found: {root} {{ ... on NotFound {{ suggestions fix message }} }} }}")["found"]

    assert found["suggestions"] == []
    assert found["fix"].endswith(fix)
    assert found["message"].endswith(fix)


def test_list_of_a_name_that_is_near_none_says_where_the_known_ones_are() -> None:
    (error,) = refused(f'{{ rules(technique: "{FAR}") {{ id }} }}')

    assert error["extensions"] == {
        "code": "unknown-technique",
        "what": f"no technique is called '{FAR}'",
        "fix": "the root `techniques` lists what is known",
        "suggestions": [],
    }
    assert error["message"].endswith("the root `techniques` lists what is known")


def test_roots_that_refusals_name_are_there() -> None:
    query = executable().query_type
    assert query is not None

    assert {root.partition("(")[0] for root in _LISTED_BY.values()} - query.fields.keys() == set()


def test_deployment_without_a_word_is_refused_by_breaks_too() -> None:
    query = '{ breaks(technique: "DCP", deployment: {}) { ... on InputProblem { code what expected fix } } }'

    assert asked(query)["breaks"] == {
        "code": "nothing-given",
        "what": "the deployment is empty",
        "expected": "at least one of `command`, `args`, `engine`, `model`, `modelConfig`, `gpu`, `gpus`, `set`",
        "fix": 'for example command: "vllm serve MODEL --tensor-parallel-size 8"',
    }


def test_refusals_of_what_clients_sent_are_final() -> None:
    held = Held({1: knowledge(technique("a"))})

    assert answered("{ nothing }", of=held).is_final
    assert answered("{ techniques(first: 500) { totalCount } }", of=held).is_final
