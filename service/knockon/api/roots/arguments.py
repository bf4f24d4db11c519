"""Arguments that many roots take, and how an expected failure becomes an answer."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import strawberry

from knockon.api.inputs import DiagnoseInput
from knockon.api.types.problem import Missing, Refusal, refusal
from knockon.terms.errors import ExpressionError, IntakeError, LimitExceeded, NotFound

T = TypeVar("T")

AsOf = Annotated[
    int | None,
    strawberry.argument(description="Number of the revision to ask; the latest when not given."),
]
Measured = Annotated[DiagnoseInput, strawberry.argument(description="What was measured.")]


def answered(ask: Callable[[], T]) -> T | Refusal | Missing:
    """What `ask` gives, or the refusal it raises; only what a client can mend is an answer, all else stays an error."""
    try:
        return ask()
    except (ExpressionError, IntakeError, LimitExceeded, NotFound) as error:
        return refusal(error)
