import logging
from typing import Any

import pytest

from knockon.jobs.knowledge import Knowledge
from tests.api.asking import Held, answered, codes, knowledge, one_revision, refused
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
            "mutation { axes }", "invalid-document",
            "The mutation operation is not supported by the schema.", "a document that fits the schema", id="mutation",
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


def test_refusals_of_what_clients_sent_are_final() -> None:
    held = Held({1: knowledge(technique("a"))})

    assert answered("{ nothing }", of=held).is_final
    assert answered("{ techniques(first: 500) { totalCount } }", of=held).is_final
