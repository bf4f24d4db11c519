"""Runs that are kept, as options of the verbs and as their database."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from knockon.terms.errors import IntakeError, Problem

if TYPE_CHECKING:
    from knockon.jobs.diagnose import DiagnoseAnswer
    from knockon.jobs.history import History
    from knockon.jobs.knowledge import Knowledge
    from knockon.store.run import KeptRun

KeepOption = Annotated[
    bool, typer.Option("--keep", help="Keep the readings and the verdict, for `knockon history`; needs --target.")
]
TargetOption = Annotated[
    str | None, typer.Option("--target", metavar="NAME", help="What was measured, by a name of your own.")
]
TakenAtOption = Annotated[
    str | None,
    typer.Option("--taken-at", metavar="TIME", help="When it was measured; what the readings say, or now."),
]


def target_of(target: str | None, taken_at: str | None, *, keeps: bool) -> str | None:
    """The target to keep a run of; None where nothing is kept, so that the other options mean nothing."""
    if keeps and target is None:
        raise typer.BadParameter("what is kept needs a name: --target NAME", param_hint="'--keep'")
    if not keeps and (target is not None or taken_at is not None):
        raise typer.BadParameter("without --keep nothing is kept", param_hint="'--target'")
    return target


def keep_answer(
    answer: "DiagnoseAnswer",
    knowledge: "Knowledge",
    *,
    target: str | None,
    taken_at: str | None,
    database_url: str | None,
) -> "KeptRun | None":
    """Keep the answer of `diagnose`, unless there is no target; a database that is not there is made."""
    if target is None:
        return None
    from knockon.jobs.history import keep_answer as kept
    from knockon.jobs.history import latest_time

    at = moment_of(taken_at, "--taken-at") or latest_time(answer.readings) or datetime.now(UTC)
    with history_at(database_url) as history:
        history.require_writable()
        history.store.migrate()
        return kept(history, knowledge, answer, target=target, taken_at=at)


@contextmanager
def history_at(database_url: str | None) -> "Iterator[History]":
    """The runs of a database, and how long they are kept; raises IntakeError and StoreError."""
    from knockon.cli.settled import settings_with
    from knockon.cli.trees import store_at
    from knockon.jobs.history import History

    settings = settings_with()
    with store_at(database_url) as store:
        yield History(store, days=settings.history_days, is_read_only=settings.read_only)


def moment_of(text: str | None, option: str) -> datetime | None:
    """The time after an option, taken for UTC without a zone; raises BadParameter and IntakeError."""
    from knockon.sources.moment import seconds_of

    if text is None:
        return None
    seconds = seconds_of(text)
    if seconds is None:
        what = f"{text!r} is no time such as 2026-11-29T12:00:00Z or Unix seconds"
        raise typer.BadParameter(what, param_hint=f"'{option}'")
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError) as error:
        raise IntakeError(Problem("bad-time", f"{option} {text} is no time", "a year from 1970 on")) from error
