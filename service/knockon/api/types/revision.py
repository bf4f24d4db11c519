"""Revisions: every published state of catalog and rules."""

from datetime import datetime

import strawberry

from knockon.api.context import Info, knowledge_of
from knockon.api.shape import field, shows
from knockon.store import revision


def revision_of(info: Info) -> revision.Revision:
    """A resolver for every answer: the revision it was given on."""
    number = knowledge_of(info).number
    return next(one for one in info.context.revisions.known if one.number == number)


REVISION = "The revision that was asked; its number as `asOf` gives the same answer for ever."


@shows(revision.Revision)
class Revision:
    """One immutable, published state of catalog and rules."""

    number: int = field("Counts from 1; arguments named `asOf` take it.")
    digest: strawberry.ID = field("Digest of all that is in it.")
    parent: int | None = field("The revision before it; null for the first.")
    author: str = field("Who published it.")
    message: str = field("What changed, in the author's words.")
    at: datetime = field("When it was published, in UTC.")
