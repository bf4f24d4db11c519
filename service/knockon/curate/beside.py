"""Half of a long piece of work in a second process, where there is one to be had: time is all that hangs on it.

Reading and checking a large tree is bound by one core, and threads of this Python share one. A copy of the process
begins with all that is loaded and read, and only tells what it found.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

# Files, or what stands in them. Fewer are done before a second process has come and gone.
_WORTH_IT = 200
# How often the copy looks whether somebody still waits for it.
_LOOK_S = 0.1


@contextmanager
def beside(work: Callable[[], bytes], *, things: int) -> Iterator[Callable[[], bytes | None]]:
    """Start `work` on some of `things` in a copy of this process; what is given waits for what it made.

    It gives None where the things are few, nothing could be started or the copy did not come to its end: then
    the work is still to be done. Whatever `work` changes in memory is changed in the copy alone.
    """
    started = _started(work) if things >= _WORTH_IT and _can_start() else None
    if started is None:
        yield lambda: None
        return
    process, pipe = started
    handle = _handle_of(process)
    with os.fdopen(pipe, "rb") as stream:
        try:
            yield lambda: _whole(stream.read())
        finally:
            # A copy that still works need not. Its number may be another's by now, so it is told by its handle.
            if handle is not None:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                os.close(handle)
            # Whoever started this program may have asked not to hear of children.
            with suppress(ChildProcessError):
                os.waitpid(process, 0)


def _handle_of(process: int) -> int | None:
    """What stands for the process and never for another; None when it has ended unheard, or Linux is too old."""
    try:
        return os.pidfd_open(process)
    except OSError:
        return None


_WHOLE = b"\0whole"
"""Ends what a copy made: one that was killed in the middle has told nothing."""


def _whole(told: bytes) -> bytes | None:
    return told.removesuffix(_WHOLE) if told.endswith(_WHOLE) else None


def _can_start() -> bool:
    """Only where a copy is safe and has a core to run on: locks of other threads would stay locked in it for ever."""
    return sys.platform == "linux" and threading.active_count() == 1 and len(os.sched_getaffinity(0)) > 1


def _started(work: Callable[[], bytes]) -> tuple[int, int] | None:
    reading, writing = os.pipe()
    parent = os.getpid()
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if process:
        os.close(writing)
        return process, reading
    # Nothing of the copy may go on after this, however the work ends: neither its caller nor what runs at exit.
    try:
        os.close(reading)
        _end_with(parent)
        with os.fdopen(writing, "wb") as stream:
            stream.write(work() + _WHOLE)
    finally:
        os._exit(0)


def _end_with(parent: int) -> None:
    """Let this copy end soon after its parent, which may be killed without a word."""

    def look(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(0)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK_S, _LOOK_S)
