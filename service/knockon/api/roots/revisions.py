"""Roots about revisions themselves."""

from typing import Annotated, Any

import strawberry

from knockon.api.context import Info
from knockon.api.page import Asked, page_size
from knockon.api.roots.arguments import answered
from knockon.store.revision import Revision
from knockon.terms.errors import NotFound

Number = Annotated[int | None, strawberry.argument(description="Number of the revision; the latest when not given.")]
First = Annotated[int | None, strawberry.argument(description="How many, 0 to 100; 20 when not given.")]
Before = Annotated[int | None, strawberry.argument(description="Only revisions numbered below it.")]


def revision(info: Info, number: Number = None) -> Any:
    """One revision."""
    known = info.context.revisions.known

    def ask() -> Revision:
        found = known[0] if number is None else next((one for one in known if one.number == number), None)
        if found is None:
            raise NotFound("revision", str(number), fix=f"the latest one is {known[0].number}")
        return found

    return answered(ask)


def revisions(info: Info, first: First = None, before: Before = None) -> list[Revision]:
    """Revisions, newest first."""
    size = page_size(Asked(first=first))
    older = [one for one in info.context.revisions.known if before is None or one.number < before]
    return older[:size]
