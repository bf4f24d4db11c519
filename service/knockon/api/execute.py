"""One request from text to answer. No HTTP here: web/ gives the text and sends the answer."""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from graphql import ExecutionResult, GraphQLSchema, execute

from knockon.api.context import Context, Revisions
from knockon.api.document import Document
from knockon.api.refusals import shown_failure, shown_problem
from knockon.jobs.history import History
from knockon.terms.errors import Problem
from knockon.terms.words import Json


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent."""

    query: str
    variables: Mapping[str, Json]
    operation_name: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What it gets."""

    body: Mapping[str, Any]
    """`data` and `errors`, as JSON."""
    is_refused: bool
    """Nothing was executed: the request itself does not hold."""
    is_final: bool
    """The same request on the same revision always gets this answer, for a day; false when something failed that is our
    fault, and when the database was asked."""


def answer(
    schema: GraphQLSchema,
    document: Document,
    request: Request,
    *,
    revisions: Revisions,
    request_id: str,
    today: str,
    history: History | None = None,
) -> Answer:
    """Answer a request; never raises. Where `document.asks_database`, it waits for the database.

    `today` is the ISO day on which claims are found stale or fresh.
    """
    if document.parsed is None:
        return Answer({"errors": list(document.errors)}, is_refused=True, is_final=True)
    result = execute(
        schema,
        document.parsed,
        context_value=Context(revisions, today, history),
        variable_values=dict(request.variables),
        operation_name=request.operation_name,
        is_awaitable=_never,
    )
    assert isinstance(result, ExecutionResult), "resolvers are synchronous"
    if not result.errors:
        return Answer({"data": result.data}, is_refused=False, is_final=not document.asks_database)
    failures = [shown_failure(error, request_id) for error in result.errors]
    errors = [shown for shown, _is_ours in failures]
    is_final = not document.asks_database and not any(is_ours for _shown, is_ours in failures)
    if result.data is None and not any(error.path for error in result.errors):
        return Answer({"errors": errors}, is_refused=True, is_final=is_final)
    return Answer({"data": result.data, "errors": errors}, is_refused=False, is_final=is_final)


def _never(_value: object) -> TypeGuard[Awaitable[Any]]:
    """Whether a value must be awaited. Resolvers are plain functions; asking each value costs 3 to 7 % of an answer."""
    return False


def refused(problem: Problem) -> Answer:
    """The answer to what is no request at all."""
    return Answer({"errors": [shown_problem(problem)]}, is_refused=True, is_final=False)
