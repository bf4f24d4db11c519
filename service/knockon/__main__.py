"""Where a process begins: `knockon`, and `python -m knockon`, which is the same.

Nothing is loaded from a file before Ctrl-C is obeyed quietly; `_signal` is part of every running Python, and `signal`
would load ten modules first. A Ctrl-C that comes earlier is the interpreter's own to answer.
"""

import _signal  # type: ignore[import-not-found]  # typeshed has no stub of it
import os

_BEFORE = _signal.getsignal(_signal.SIGINT)
# Whoever started us without Ctrl-C (`nohup … &`) keeps that.
if _BEFORE is _signal.default_int_handler:
    # 130 is `INTERRUPTED`, not loaded yet. Not by an exception: one raised inside the machinery of imports would
    # be printed and forgotten; and nothing has begun, so nothing is left half done.
    _signal.signal(_signal.SIGINT, lambda *_: os._exit(130))

from knockon.cli.main import program as _program  # noqa: E402  not before Ctrl-C is obeyed


def program() -> None:
    """Be the program; it ends here."""
    _program(_BEFORE)


if __name__ == "__main__":
    program()
