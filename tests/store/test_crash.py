"""A writer that is killed: what was there before stands, and the next writer is not in its way."""

import signal

import pytest
from sqlalchemy import Connection, Engine, event

from knockon.store.store import Store, open_store
from tests.store.bundles import bundle_of_size, everything
from tests.store.kept import at, run
from tests.store.writers import Line, writer


def write_until(line: Line, url: str, edition: int | None, where: str) -> None:
    """Publish an edition, else keep a run; stop at the first statement that contains `where`, or before the commit."""

    def pause(*_: object) -> None:
        line.say("paused")
        line.wait()

    def after(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if where in statement:
            pause()

    if where == "commit":
        event.listen(Engine, "commit", pause)
    else:
        event.listen(Engine, "after_cursor_execute", after)
    if edition is None:
        open_store(url).keep(run(hour=2), since=at(hour=1))
    else:
        open_store(url).publish(bundle_of_size(50, edition=edition), author="child", message="")
    line.say("written")


@pytest.mark.parametrize(
    "where", ["INSERT INTO revision", "UPDATE node", "INSERT INTO node", "UPDATE edge", "INSERT INTO edge", "commit"]
)
def test_a_publisher_killed_in_the_middle_leaves_the_old_revision(store: Store, url: str, where: str) -> None:
    old = store.publish(bundle_of_size(50, edition=1), author="ada", message="")
    before = everything(url)

    with writer(write_until, url, 2, where) as child:
        assert child.heard() == "paused"
        assert store.latest() == old
        child.kill()

        assert child.ended() == -signal.SIGKILL
    assert store.latest() == old
    assert store.read() == bundle_of_size(50, edition=1)
    assert everything(url) == before
    # The dead publisher's lock is gone as well.
    new = store.publish(bundle_of_size(50, edition=2), author="ada", message="")
    assert (new.number, new.parent) == (2, 1)
    assert store.read() == bundle_of_size(50, edition=2)


def test_a_publisher_that_is_not_killed_publishes(store: Store, url: str) -> None:
    with writer(write_until, url, 2, "no statement has this in it") as child:
        assert child.heard() == "written"
        assert child.ended() == 0
    assert store.read() == bundle_of_size(50, edition=2)


@pytest.mark.parametrize("where", ["INSERT INTO run", "INSERT INTO hypothesis", "DELETE FROM run", "commit"])
def test_a_run_whose_writer_is_killed_in_the_middle_is_not_there_and_nothing_is_gone(
    store: Store, url: str, where: str
) -> None:
    store.keep(run(hour=0), since=None)
    before = everything(url)

    with writer(write_until, url, None, where) as child:
        assert child.heard() == "paused"
        child.kill()

        assert child.ended() == -signal.SIGKILL
    assert everything(url) == before
    # Handed in again it is a new one, and the old one goes with it.
    assert store.keep(run(hour=2), since=at(hour=1)).is_new
    assert store.runs("prod").runs == [run(hour=2)]
