"""What one request knows: the revisions in memory, and which of them each root field was asked of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import strawberry

from knockon.jobs.history import History
from knockon.jobs.knowledge import Knowledge
from knockon.store.revision import Revision
from knockon.terms.errors import LimitExceeded, Problem, StoreError
from knockon.terms.limits import CHECKS_MAX, GRAPHQL_LINKS_MAX


class Revisions(Protocol):
    """Revisions as readers see them: in memory, so that no read request asks the database."""

    @property
    def known(self) -> Sequence[Revision]:
        """Every revision up to the latest one, newest first."""

    def knowledge(self, number: int | None) -> Knowledge:
        """The knowledge of a revision, the latest when None.

        Raises:
            NotFound: there is no such revision.
        """


@dataclass(slots=True)
class Context:
    """Made anew for each request."""

    revisions: Revisions
    today: str
    """ISO day that ages are told of."""
    history: History | None = None
    """The runs that are kept. Asking for them asks the database, see `document.ON_DATABASE`."""
    asked_of: dict[str | int, Knowledge] = field(default_factory=dict)
    """By the name that a root field has in the answer."""
    checks: int = 0
    """Deployments asked about so far, see `count_checks`."""
    links: int = 0
    """Links followed so far, see `count_link`."""


# Strawberry's own value: the root value is not used here.
Info = strawberry.Info[Context, None]


def ask_of(info: Info, as_of: int | None) -> Knowledge:
    """The knowledge a root field is asked of; everything below that field is then shown from the same revision.

    Raises:
        NotFound: there is no such revision.
    """
    knowledge = info.context.revisions.knowledge(as_of)
    info.context.asked_of[info.path.key] = knowledge
    return knowledge


def knowledge_of(info: Info) -> Knowledge:
    """The knowledge that the root field above this field was asked of."""
    path = info.path
    while path.prev is not None:
        path = path.prev
    return info.context.asked_of[path.key]


def history_of(info: Info) -> History:
    """The runs that are kept; raises StoreError where there is no database behind the schema."""
    if info.context.history is None:
        what = "there is no database behind this schema"
        raise StoreError(Problem("no-history", what, "a service that keeps runs", "ask one started by `knockon serve`"))
    return info.context.history


def count_checks(info: Info, deployments: int = 1) -> None:
    """Count deployments to be checked, over all fields of a query; each costs as much as a question of its own.

    Raises:
        LimitExceeded: more than CHECKS_MAX in one query.
    """
    info.context.checks += deployments
    if info.context.checks > CHECKS_MAX:
        what = "the number of deployments in one query"
        raise LimitExceeded(what, limit=CHECKS_MAX, found=info.context.checks, fix="ask in several queries")


def count_link(info: Info, links: int = 1) -> None:
    """Count links from one node to others: a small query over a dense graph could otherwise have an endless answer.

    Raises:
        LimitExceeded: one request followed more than GRAPHQL_LINKS_MAX.
    """
    info.context.links += links
    if info.context.links > GRAPHQL_LINKS_MAX:
        raise LimitExceeded(
            "the number of links that one request follows",
            limit=GRAPHQL_LINKS_MAX,
            fix="ask for fewer nodes or fewer levels, and for the rest in another request",
        )
