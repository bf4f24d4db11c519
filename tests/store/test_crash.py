"""A writer that is killed: what was there before stands, and the next writer is not in its way."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from knockon.store.store import Store
from tests.store.bundles import bundle_of_size, everything
from tests.store.kept import at, run

# The child stops at the first statement that contains the given text, says so, and waits to be killed.
CHILD = """
import sys
from sqlalchemy import Engine, event
from knockon.store.store import open_store
from tests.store.bundles import bundle_of_size
from tests.store.kept import at, run

url, what, where = sys.argv[1:]

def pause(*_):
    print("paused", flush=True)
    sys.stdin.read()

def after(connection, cursor, statement, *_):
    if where in statement:
        pause()

event.listen(Engine, "commit", pause) if where == "commit" else event.listen(Engine, "after_cursor_execute", after)
if what == "run":
    open_store(url).keep(run(hour=2), since=at(hour=1))
else:
    open_store(url).publish(bundle_of_size(50, edition=int(what)), author="child", message="")
print("written", flush=True)
"""


@pytest.mark.parametrize(
    "where", ["INSERT INTO revision", "UPDATE node", "INSERT INTO node", "UPDATE edge", "INSERT INTO edge", "commit"]
)
def test_a_publisher_killed_in_the_middle_leaves_the_old_revision(store: Store, url: str, where: str) -> None:
    old = store.publish(bundle_of_size(50, edition=1), author="ada", message="")
    before = everything(url)

    child = _write_until(url, "2", where=where)
    assert child.stdout is not None
    assert child.stdout.readline() == "paused\n"
    assert store.latest() == old
    child.send_signal(signal.SIGKILL)
    said, complaints = child.communicate(timeout=60)

    assert (child.returncode, said, complaints) == (-signal.SIGKILL, "", "")
    assert store.latest() == old
    assert store.read() == bundle_of_size(50, edition=1)
    assert everything(url) == before
    # The dead publisher's lock is gone as well.
    new = store.publish(bundle_of_size(50, edition=2), author="ada", message="")
    assert (new.number, new.parent) == (2, 1)
    assert store.read() == bundle_of_size(50, edition=2)


def test_a_publisher_that_is_not_killed_publishes(store: Store, url: str) -> None:
    child = _write_until(url, "2", where="no statement has this in it")

    said, complaints = child.communicate(timeout=60)

    assert (child.returncode, said, complaints) == (0, "written\n", "")
    assert store.read() == bundle_of_size(50, edition=2)


@pytest.mark.parametrize("where", ["INSERT INTO run", "INSERT INTO hypothesis", "DELETE FROM run", "commit"])
def test_a_run_whose_writer_is_killed_in_the_middle_is_not_there_and_nothing_is_gone(
    store: Store, url: str, where: str
) -> None:
    store.keep(run(hour=0), since=None)
    before = everything(url)

    child = _write_until(url, "run", where=where)
    assert child.stdout is not None
    assert child.stdout.readline() == "paused\n"
    child.send_signal(signal.SIGKILL)
    said, complaints = child.communicate(timeout=60)

    assert (child.returncode, said, complaints) == (-signal.SIGKILL, "", "")
    assert everything(url) == before
    # Handed in again it is a new one, and the old one goes with it.
    assert store.keep(run(hour=2), since=at(hour=1)).is_new
    assert store.runs("prod").runs == [run(hour=2)]


def _write_until(url: str, what: str, *, where: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, url, what, where],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
