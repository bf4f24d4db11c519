"""How the program runs and ends. It loads next to nothing: Ctrl-C is obeyed quietly while the rest is loaded."""

import _signal  # type: ignore[import-not-found]  # typeshed has no stub of it
import gc
import os
import sys

INTERRUPTED = 130
# New objects after which Python looks for garbage. A whole check makes about so many and leaves next to none behind:
# with the 700 that Python starts with, looking takes a tenth of it.
YOUNG_MAX = 200_000


def program(before: object = None) -> None:
    """Be the program: run the command line, then end without freeing every object one by one, a tenth of a check.

    Args:
        before: What Ctrl-C did when the process began, where who calls has changed it since.
    """
    try:
        try:
            run(before)
        except SystemExit as ended:
            import threading

            # Another thread, or a code that Python prints, is left to Python's own way of ending.
            if threading.active_count() == 1 and isinstance(ended.code, int):
                _end(ended.code)
            raise
    except KeyboardInterrupt:
        _leave()


def run(before: object = None) -> None:
    """Run the command line of this process and end it with an exit code; nothing is ever raised past it."""
    gc.set_threshold(YOUNG_MAX, *gc.get_threshold()[1:])
    try:
        if before is None:
            before = _signal.getsignal(_signal.SIGINT)
        # Nothing has begun, so nothing is left half done. Whoever started us without Ctrl-C (`nohup … &`) keeps that.
        if before is _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _leave)
        from knockon.cli.app import run as run_loaded

        if before is _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        run_loaded()
    except KeyboardInterrupt:
        _leave()


def _end(code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        # What could not be written was told before; a stream that was closed from the beginning is None.
        # Not `contextlib.suppress`: loading it is the longest thing this file would do.
        try:  # noqa: SIM105
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    os._exit(code)


def _leave(*_: object) -> None:
    # Not by an exception: one that is raised inside the machinery of imports would be printed and forgotten.
    os._exit(INTERRUPTED)
