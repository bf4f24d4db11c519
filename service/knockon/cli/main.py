"""Where the program begins. It imports next to nothing, so that Ctrl-C is obeyed quietly while the rest is loaded."""

import gc
import os
import signal
import sys
from contextlib import suppress

INTERRUPTED = 130
# New objects after which Python looks for garbage. A whole check makes about so many and leaves next to none behind:
# with the 700 that Python starts with, looking takes a tenth of it.
YOUNG_MAX = 200_000


def program() -> None:
    """Be the program: run the command line, then end without freeing every object one by one, a tenth of a check."""
    try:
        run()
    except SystemExit as ended:
        import threading

        # Another thread, or a code that Python prints, is left to Python's own way of ending.
        if threading.active_count() == 1 and isinstance(ended.code, int):
            _end(ended.code)
        raise


def run() -> None:
    """Run the command line of this process and end it with an exit code; nothing is ever raised past it."""
    gc.set_threshold(YOUNG_MAX, *gc.get_threshold()[1:])
    try:
        before = signal.getsignal(signal.SIGINT)
        # Nothing has begun, so nothing is left half done. Whoever started us without Ctrl-C (`nohup … &`) keeps that.
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)
        from knockon.cli.app import run as run_loaded

        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, before)
        run_loaded()
    except KeyboardInterrupt:
        _leave()


def _end(code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        # What could not be written was told before; a stream that was closed from the beginning is None.
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(code)


def _leave(*_: object) -> None:
    # Not by an exception: one that is raised inside the machinery of imports would be printed and forgotten.
    os._exit(INTERRUPTED)
