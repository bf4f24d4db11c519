"""A publisher that is killed: the old revision stands, and the next publisher is not in its way."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from knockon.store.store import Store
from tests.store.bundles import bundle_of_size, everything

# The child stops at the first statement that contains the given text, says so, and waits to be killed.
CHILD = """
import sys
from sqlalchemy import Engine, event
from knockon.store.store import open_store
from tests.store.bundles import bundle_of_size

url, edition, where = sys.argv[1], int(sys.argv[2]), sys.argv[3]

def pause(*_):
    print("paused", flush=True)
    sys.stdin.read()

def after(connection, cursor, statement, *_):
    if where in statement:
        pause()

event.listen(Engine, "commit", pause) if where == "commit" else event.listen(Engine, "after_cursor_execute", after)
open_store(url).publish(bundle_of_size(50, edition=edition), author="child", message="")
print("published", flush=True)
"""


@pytest.mark.parametrize(
    "where", ["INSERT INTO revision", "UPDATE node", "INSERT INTO node", "UPDATE edge", "INSERT INTO edge", "commit"]
)
def test_a_publisher_killed_in_the_middle_leaves_the_old_revision(store: Store, url: str, where: str) -> None:
    old = store.publish(bundle_of_size(50, edition=1), author="ada", message="")
    before = everything(url)

    child = _publish_until(url, 2, where=where)
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
    child = _publish_until(url, 2, where="no statement has this in it")

    said, complaints = child.communicate(timeout=60)

    assert (child.returncode, said, complaints) == (0, "published\n", "")
    assert store.read() == bundle_of_size(50, edition=2)


def _publish_until(url: str, edition: int, *, where: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, url, str(edition), where],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
