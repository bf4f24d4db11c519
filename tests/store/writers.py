"""Programs of their own that write to a database: they stop where they are told, wait, are let go on or killed.

They are forked from a process that has imported what they need: importing it takes ten times as long as writing.
"""

import contextlib
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["sqlalchemy.dialects.sqlite", "psycopg", "knockon.store.store", __name__])
SECONDS_MAX = 60


class Line:
    """What a writer hears and says."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def say(self, word: str) -> None:
        """Say it to the test."""
        self._connection.send(word)

    def wait(self) -> None:
        """Wait for a word of the test."""
        self._connection.recv()


@dataclass(frozen=True, slots=True)
class Writer:
    """A running writer."""

    process: ForkServerProcess
    connection: Connection

    def heard(self) -> str:
        """The next word it says."""
        assert self.connection.poll(SECONDS_MAX), "the writer says nothing"
        word: str = self.connection.recv()
        return word

    def go_on(self) -> None:
        """Let it go on from where it waits."""
        self.connection.send("")

    def kill(self) -> None:
        """End it at once, as a machine does that loses its power."""
        self.process.kill()

    def ended(self) -> int:
        """Its exit code, once it has ended; minus the signal that killed it."""
        self.process.join(SECONDS_MAX)
        assert self.process.exitcode is not None, "the writer does not end"
        return self.process.exitcode


@contextlib.contextmanager
def writer(write: Callable[..., None], *arguments: Any) -> Iterator[Writer]:
    """Yield a program that runs `write(line, *arguments)`, a function of some module of the tests."""
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=write, args=(Line(theirs), *arguments))
    process.start()
    theirs.close()
    try:
        yield Writer(process, ours)
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()
