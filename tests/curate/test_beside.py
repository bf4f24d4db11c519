"""Two processes read and check what one does, say the same, and none of it hangs on the second."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from knockon.curate import beside as beside_module
from knockon.curate.beside import beside
from knockon.curate.lint import lint_tree
from tests.curate.test_complaints import CASES, change_of
from tests.curate.trees import TODAY, TREE, written

# The processes of a parallel test run have threads, beside which nothing is started: see `beside`.
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__])
MANY = 1_000


def alone(call: Callable[..., object], *arguments: object) -> None:
    """Run `call` in a process without threads; an error in it fails the test."""
    process = _CONTEXT.Process(target=call, args=arguments)
    process.start()
    process.join()
    assert process.exitcode == 0


def _works() -> None:
    before: list[int] = []
    with beside(lambda: before.append(1) or f"from {os.getppid()}".encode(), things=MANY) as told:
        assert told() == f"from {os.getpid()}".encode()
    assert before == []


def _fails() -> None:
    with beside(lambda: b"%d" % (1 // 0), things=MANY) as told:
        assert told() is None


def _is_killed() -> None:
    with beside(lambda: os.kill(os.getpid(), 9) or b"never", things=MANY) as told:
        assert told() is None


def _is_not_waited_for() -> None:
    with pytest.raises(KeyError), beside(lambda: b"x" * 10_000_000, things=MANY):
        raise KeyError
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def _is_not_heard_of() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with beside(lambda: b"done", things=MANY) as told:
        assert told() == b"done"
    with beside(lambda: b"x" * 10_000_000, things=MANY):
        pass


def _ends_with_its_parent() -> None:
    reading, writing = os.pipe()
    if os.fork() == 0:
        with beside(lambda: time.sleep(600) or b"never", things=MANY):
            os.write(writing, b"started")
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        # It comes to its end when the last of both is gone.
        assert stream.read() == b"started"
    os.wait()


def _is_not_worth_it() -> None:
    with beside(lambda: b"done", things=10) as told:
        assert told() is None


WAYS = [_works, _fails, _is_killed, _is_not_waited_for, _is_not_heard_of, _ends_with_its_parent, _is_not_worth_it]


@pytest.mark.parametrize("what", WAYS)
def test_a_second_process(what: Callable[[], None]) -> None:
    alone(what)


def test_nothing_is_started_where_there_is_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    with beside(lambda: b"done", things=MANY) as told:
        assert told() is None


def _two_complain_as_one(place: Path) -> None:
    started = []
    real = beside_module._started
    beside_module._started = lambda work: started.append(work) or real(work)
    beside_module._WORTH_IT = 0
    os.environ["KNOCKON_CACHE_DIR"] = ""
    clean = {"name": "nothing", "says": ""}
    for index, case in enumerate((clean, *(case.values[0] for case in CASES[::9]))):
        folder = place / str(index)
        started.clear()
        found = lint_tree(*written(folder, change_of(case) if index else TREE), today=TODAY)
        assert "\n".join(str(problem).replace(f"{folder}/", "") for problem in found) == case["says"], case
        assert len(started) == 2, case


def test_two_complain_as_one(tmp_path: Path) -> None:
    alone(_two_complain_as_one, tmp_path)
