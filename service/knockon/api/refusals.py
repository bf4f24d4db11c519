"""What clients see of a refusal: a message and, in `extensions`, its code, what was expected and what to do."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from graphql import GraphQLError, GraphQLSyntaxError
from graphql.validation import (
    ASTValidationContext,
    ASTValidationRule,
    FieldsOnCorrectTypeRule,
    KnownArgumentNamesRule,
    KnownFragmentNamesRule,
    KnownTypeNamesRule,
    NoFragmentCyclesRule,
    ProvidedRequiredArgumentsRule,
    ScalarLeafsRule,
    ValuesOfCorrectTypeRule,
    specified_rules,
)
from graphql.validation.validate import ValidationAbortedError

from knockon.terms.errors import KnockonError, LimitExceeded, NotFound, Problem
from knockon.terms.words import Json

log = logging.getLogger(__name__)

_LOOK = "the schema is at /ide, and `knockon schema` prints it"


@dataclass(frozen=True, slots=True)
class _Kind:
    """What GraphQL's own library refuses: its code, the words of the library, and what was expected."""

    code: str
    what: str
    expected: str

    def fits(self, message: str) -> bool:
        """Whether the message has these words; `…` stands for any."""
        # One after the other, each found once: a pattern would try all ways on a long message.
        first, *others = self.what.split("…")
        at = len(first) if message.startswith(first) else -1
        for part in others:
            found = message.find(part, at) if at >= 0 else -1
            at = found + len(part) if found >= 0 else -1
        return at >= 0


# What each validation rule refuses.
_CODES: Mapping[type[ASTValidationRule], _Kind] = {
    FieldsOnCorrectTypeRule: _Kind("unknown-field", "Cannot query field … on type …", "a field of that type"),
    KnownArgumentNamesRule: _Kind("unknown-argument", "Unknown argument … on field …", "an argument of that field"),
    KnownTypeNamesRule: _Kind("unknown-type", "Unknown type …", "a type of the schema"),
    KnownFragmentNamesRule: _Kind("unknown-fragment", "Unknown fragment …", "a fragment of the same document"),
    ValuesOfCorrectTypeRule: _Kind("bad-value", "Value … does not exist in … enum", "a value of that type"),
    ProvidedRequiredArgumentsRule: _Kind(
        "missing-argument", "Argument … of type … is required, but it was not provided", "every required argument"
    ),
    ScalarLeafsRule: _Kind(
        "bad-selection",
        "Field … must have a selection of subfields",
        "fields in braces on objects, and none on scalars",
    ),
    NoFragmentCyclesRule: _Kind(
        "fragment-cycle", "Cannot spread fragment … within itself", "fragments that do not contain themselves"
    ),
}
# What refuses a document otherwise: validation that is given up, its reader, and every other rule of validation.
_ENDLESS = _Kind(
    "limit-exceeded", "Too many validation errors, error limit reached", "a document that can be read in a short time"
)
_UNREADABLE = _Kind("graphql-syntax", "Syntax Error: …", "a GraphQL document")
_MISFIT = _Kind("invalid-document", "Fragment … is never used", "a document that fits the schema")
_BAD_VARIABLE = _Kind("bad-value", "Variable … has invalid value: …", "a value of the declared type")
_ONE_OPERATION = "the name of an operation of the document, as operationName"
# Other words of the library: the first that fits a message says what it is. What fits none is one of those above.
_OTHER_WORDS = (
    _Kind("limit-exceeded", "Document is nested too deeply…", "a document of fewer levels"),
    _Kind("limit-exceeded", "Maximum introspection depth exceeded", "lists of fields, types and the like less deep"),
    _Kind("bad-value", "Must provide operation name if query contains multiple operations…", _ONE_OPERATION),
    _Kind("bad-value", "Unknown operation named …", _ONE_OPERATION),
    _Kind("bad-value", "Variable … of required type … was not provided…", "a value for every required variable"),
    _Kind("bad-value", "Variable … of non-null type … must not be null…", "a value for every required variable"),
    _Kind("bad-value", "… cannot represent …", "a value of that type"),
    _Kind("bad-value", "Field … is not defined by type …", "a field of that input"),
    _Kind("bad-value", "Field … of required type … was not provided…", "every required field of the input"),
    _Kind("bad-value", "Expected value of type … not to include unknown field …", "fields of that input"),
    _Kind("bad-value", "Expected value of type …, found…", "a value of that type"),
    _Kind("invalid-document", "Unknown directive …", "a directive of the schema"),
    _Kind("invalid-document", "Directive … may not be used on …", "a directive that belongs there"),
    _Kind("invalid-document", "There can be only one … named …", "each name once"),
    _Kind(
        "invalid-document", "This anonymous operation must be the only defined operation…", "a name for each operation"
    ),
    _Kind("invalid-document", "Variable … is not defined…", "each variable declared by its operation"),
    _Kind("invalid-document", "Variable … is never used…", "declared variables that are used"),
    _Kind(
        "invalid-document", "Variable … of type … used in position expecting type …", "a variable of the type asked for"
    ),
    _Kind("invalid-document", "Fields … conflict because …", "an alias of its own for each"),
    _Kind(
        "invalid-document",
        "Fragment… cannot be spread here as objects of type … can never be of type …",
        "a type that fits",
    ),
    _Kind(
        "invalid-document", "The … operation is not supported by the schema…", "a query, or a mutation of the schema"
    ),
)


# What was looked for → the root that lists what there is. The other kinds list it in their own words.
_LISTED_BY: Mapping[str, str] = {
    "technique": "techniques",
    "quantity": "quantities",
    "model": "models",
    "gpu": "gpus",
    "symptom": "symptoms",
    "rule": "rules",
    "fact": "vocabulary(kind: FACT)",
    "reading": "vocabulary(kind: READING)",
    "name": "vocabulary",
}


def told(error: NotFound) -> Problem:
    """The problem of a name that nothing goes by; where no name is near it, with the root that lists what is known."""
    root = _LISTED_BY.get(error.kind)
    if root is None or error.suggestions:
        return error.problem
    said = (error.problem.fix, f"the root `{root}` lists what is known")
    return replace(error.problem, fix="; ".join(part for part in said if part))


def shown_problem(problem: Problem, message: str | None = None, **more: Json) -> dict[str, Json]:
    """A problem as an entry of `errors`; `more` goes into its extensions."""
    extensions: dict[str, Json] = {"code": problem.code, "what": problem.what}
    if problem.expected:
        extensions["expected"] = problem.expected
    if problem.fix:
        extensions["fix"] = problem.fix
    return {"message": message if message is not None else str(problem), "extensions": {**extensions, **more}}


def shown_refusal(error: KnockonError) -> dict[str, Json]:
    """An error of Knock-on as an entry of `errors`."""
    more: dict[str, Json] = {}
    if isinstance(error, NotFound):
        problem = told(error)
        return shown_problem(problem, str(problem), suggestions=list(error.suggestions))
    if isinstance(error, LimitExceeded):
        more["limit"] = error.limit
    return shown_problem(error.problem, str(error), **more)


def shown_invalid(error: GraphQLError) -> dict[str, Json]:
    """A syntax or validation error as an entry of `errors`, with its places in the document."""
    if isinstance(error, ValidationAbortedError):
        # graphql-core gives up on what would take it too long, and has only these words for it.
        kind = _ENDLESS
    elif "too deeply" in error.message:
        kind = _other_kind(error, _ENDLESS)
    elif isinstance(error, GraphQLSyntaxError):
        kind = _UNREADABLE
    else:
        by_rule = (error.extensions or {}).get("refused_by")
        kind = by_rule if by_rule is not None else _other_kind(error, _MISFIT)
    return {**_shown_kind(kind, error), **_places(error)}


def shown_failure(error: GraphQLError, request_id: str) -> tuple[dict[str, Json], bool]:
    """An error of the execution as an entry of `errors`, and whether it is our fault.

    What is our fault is logged whole and shown as nothing but a request id.
    """
    origin = error.original_error
    if isinstance(origin, KnockonError):
        return {**shown_refusal(origin), **_places(error)}, False
    if origin is None or isinstance(origin, GraphQLError):
        # graphql-core's own: variables and arguments that do not fit.
        return {**_shown_kind(_other_kind(error, _BAD_VARIABLE), error), **_places(error)}, False
    log.error("resolver failed", exc_info=origin, extra={"request_id": request_id, "path": error.path})
    return {**internal(request_id), **_places(error)}, True


def internal(request_id: str) -> dict[str, Json]:
    """The entry of `errors` for what is our fault."""
    problem = Problem("internal-error", "internal error", fix=f"report it with the request id {request_id}")
    return shown_problem(problem, requestId=request_id)


def rules() -> Sequence[type[ASTValidationRule]]:
    """GraphQL's validation rules, each of which says its code with what it refuses."""
    return [_coded(rule, _CODES[rule]) if rule in _CODES else rule for rule in specified_rules]


def _other_kind(error: GraphQLError, otherwise: _Kind) -> _Kind:
    return next((kind for kind in _OTHER_WORDS if kind.fits(error.message)), otherwise)


def _shown_kind(kind: _Kind, error: GraphQLError) -> dict[str, Json]:
    """What the library said, with our code for it."""
    return shown_problem(Problem(kind.code, error.message, kind.expected, _LOOK), error.message)


def _coded(rule: type[ASTValidationRule], kind: _Kind) -> type[ASTValidationRule]:
    def init(self: ASTValidationRule, context: ASTValidationContext) -> None:
        rule.__init__(self, cast("ASTValidationContext", _Coding(context, kind)))

    return type(rule.__name__, (rule,), {"__init__": init})


class _Coding:
    """A validation context that notes on each error which rule reports it; the errors themselves do not say."""

    def __init__(self, context: ASTValidationContext, refused_by: _Kind) -> None:
        self._context = context
        self._refused_by = refused_by

    def __getattr__(self, name: str) -> object:
        return getattr(self._context, name)

    def report_error(self, error: GraphQLError) -> None:
        error.extensions = {"refused_by": self._refused_by}
        self._context.report_error(error)


def _places(error: GraphQLError) -> dict[str, Json]:
    places: dict[str, Json] = {}
    if error.locations:
        places["locations"] = [{"line": one.line, "column": one.column} for one in error.locations]
    if error.path:
        places["path"] = list(error.path)
    return places
