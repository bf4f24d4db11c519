"""Roots about runs that are kept. They ask the database, so web/ executes them in a thread (`document.ON_DATABASE`)."""

# ruff: noqa: A002 - arguments are named as clients write them
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, TypeVar

import strawberry

from knockon.api.context import Info, ask_of, history_of
from knockon.api.inputs import measured
from knockon.api.page import SORTED_BY_TIME, Asked, Edge, Page, PageInfo, bad_cursor, cursor_of, key_of, page_size
from knockon.api.roots.arguments import Measured, answered
from knockon.api.types.history import Handed
from knockon.api.types.problem import Missing, Refusal, Unavailable, unavailable
from knockon.jobs.history import keep
from knockon.store.run import KeptRun, Part, RunKey, RunPage, Target, TargetPage
from knockon.terms.errors import StoreError

T = TypeVar("T")
K = TypeVar("K")

TargetName = Annotated[
    str, strawberry.argument(description="What was measured, by a name of your own: prod/qwen3-8xh200.")
]
First = Annotated[int | None, strawberry.argument(description="How many, 0 to 100; 20 when not given.")]
After = Annotated[str | None, strawberry.argument(description="Only what comes behind this cursor.")]
Last = Annotated[int | None, strawberry.argument(description="How many from the end, 0 to 100; not beside `first`.")]
Before = Annotated[str | None, strawberry.argument(description="Only what comes before this cursor.")]
From = Annotated[
    datetime | None,
    strawberry.argument(name="from", description="Only runs measured then or later, with its zone."),
]
To = Annotated[
    datetime | None, strawberry.argument(name="to", description="Only runs measured before then, with its zone.")
]
TakenAt = Annotated[
    datetime | None,
    strawberry.argument(description="When it was measured, with its zone; not needed where the readings say it."),
]

# Between time and id in a cursor; neither has it.
_BETWEEN = "~"


def history(
    info: Info,
    target: TargetName,
    first: First = None,
    after: After = None,
    last: Last = None,
    before: Before = None,
    since: From = None,
    until: To = None,
) -> Any:
    """Runs of a target."""

    def ask() -> Page[KeptRun]:
        page = Asked(first, after, last, before)
        part = _part(page, _run_key)
        return _runs(history_of(info).runs(target, limit=page_size(page), part=part, since=since, until=until))

    return stored(ask)


def targets(info: Info, first: First = None, after: After = None, last: Last = None, before: Before = None) -> Any:
    """What runs are kept of."""

    def ask() -> Page[Target]:
        page = Asked(first, after, last, before)
        return _targets(history_of(info).targets(limit=page_size(page), part=_part(page, key_of)))

    return stored(ask)


def submit_readings(info: Info, target: TargetName, input: Measured, taken_at: TakenAt = None) -> Any:
    """Judge readings and keep them."""

    def ask() -> Handed:
        knowledge = ask_of(info, None)
        given = measured(input, knowledge.rulebook.vocabulary)
        return Handed(keep(history_of(info), knowledge, **given, target=target, taken_at=taken_at))

    return stored(ask)


def stored(ask: Callable[[], T]) -> T | Refusal | Missing | Unavailable:
    """As `answered`; also a database that cannot be asked is an answer."""
    try:
        return answered(ask)
    except StoreError as error:
        return unavailable(error)


def run_cursor(run: KeptRun) -> str:
    """The cursor of a run: its time and its id."""
    return cursor_of(f"{run.taken_at.isoformat()}{_BETWEEN}{run.id}", sorted_by=SORTED_BY_TIME)


def _part(page: Asked, key: Callable[[str, str], K]) -> Part[K]:
    """The part of the list that `page` is of; `key` reads a cursor and names its argument in what it raises."""
    return Part(
        after=key(page.after, "after") if page.after is not None else None,
        before=key(page.before, "before") if page.before is not None else None,
        from_end=page.last is not None,
    )


def _run_key(cursor: str, argument: str) -> RunKey:
    time, _, id_ = key_of(cursor, argument, sorted_by=SORTED_BY_TIME).partition(_BETWEEN)
    try:
        at = datetime.fromisoformat(time)
    except ValueError as error:
        raise bad_cursor(cursor, argument) from error
    if at.tzinfo is None or not id_:
        raise bad_cursor(cursor, argument)
    return RunKey(at, id_)


def _runs(found: RunPage) -> Page[KeptRun]:
    edges = tuple(Edge(run_cursor(run), run) for run in found.runs)
    return _page(edges, found)


def _targets(found: TargetPage) -> Page[Target]:
    edges = tuple(Edge(cursor_of(target.name), target) for target in found.targets)
    return _page(edges, found)


def _page(edges: tuple[Edge[T], ...], found: RunPage | TargetPage) -> Page[T]:
    info = PageInfo(
        has_next_page=found.has_next,
        has_previous_page=found.has_previous,
        start_cursor=edges[0].cursor if edges else None,
        end_cursor=edges[-1].cursor if edges else None,
    )
    return Page(edges, info, found.total)
