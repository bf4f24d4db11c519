"""Asks the schema in this process, of the shipped catalog or of knowledge that a test makes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from knockon.api.document import Documents
from knockon.api.execute import Answer, Request, answer
from knockon.api.schema import executable
from knockon.jobs.history import History
from knockon.jobs.knowledge import Knowledge, knowledge_of
from knockon.store.revision import Revision
from knockon.terms.bundle import Bundle, Entry
from knockon.terms.errors import NotFound
from tests.catalog.bundles import AXES, citation
from tests.shipped import shipped

TODAY = "2026-11-29"
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Held:
    """Revisions in memory, the first one the latest."""

    held: Mapping[int, Knowledge]

    @property
    def known(self) -> list[Revision]:
        return [
            Revision(number, self.held[number].digest, number - 1 or None, "curator", f"revision {number}", NOON)
            for number in sorted(self.held, reverse=True)
        ]

    def knowledge(self, number: int | None) -> Knowledge:
        if number is None:
            return self.held[max(self.held)]
        if number not in self.held:
            raise NotFound("revision", str(number), fix=f"the latest one is {max(self.held)}")
        return self.held[number]


def knowledge(*entries: Entry, number: int = 1) -> Knowledge:
    """Knowledge of these entries, the makers' axes and their one citation."""
    return knowledge_of(Bundle.of((AXES, citation(), *entries)), number=number)


@cache
def one_revision() -> Held:
    return Held({1: replace(shipped(), number=1)})


@cache
def documents() -> Documents:
    return Documents(executable())


def answered(
    query: str, *, of: Held | None = None, kept_in: History | None = None, today: str = TODAY, **variables: Any
) -> Answer:
    return answer(
        executable(),
        documents().read(query),
        Request(query, variables, None),
        revisions=of or one_revision(),
        request_id="request-1",
        today=today,
        history=kept_in,
    )


def asked(
    query: str, *, of: Held | None = None, kept_in: History | None = None, today: str = TODAY, **variables: Any
) -> Any:
    """The data of an answer without errors."""
    given = answered(query, of=of, kept_in=kept_in, today=today, **variables)
    assert "errors" not in given.body, given.body["errors"]
    return given.body["data"]


def refused(query: str, *, of: Held | None = None, **variables: Any) -> list[dict[str, Any]]:
    """The errors of an answer that was refused whole."""
    given = answered(query, of=of, **variables)
    assert given.body.get("data") is None
    errors: list[dict[str, Any]] = given.body["errors"]
    return errors


def codes(errors: list[dict[str, Any]]) -> list[str]:
    return [error["extensions"]["code"] for error in errors]
