"""Standard output that cannot be written: closed, or on a full disk. It is told, never taken for a defect of ours.

A reader that leaves has enough of it (`| head`), which is no error: the exit code stays that of the answer.
"""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO


class Output:
    """A stream that remembers why something was not written; all else is as the stream has it.

    A stream that was closed before the program began is None to Python. Nothing is wrong then until something is
    written.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.lost: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write; raises OSError."""
        self._tried(lambda stream: stream.write(text))
        return len(text)

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._stream is not None and self._stream.isatty()

    def flush(self) -> None:
        """Write what is held back; raises OSError."""
        if self._stream is not None:
            self._tried(lambda stream: stream.flush())

    def end(self) -> OSError | None:
        """Write what is held back, and say why anything was lost, None if nothing was; then the rest goes nowhere."""
        with suppress(OSError, ValueError):
            self.flush()
        if self.lost is not None and self._stream is not None:
            # Else the end of the program would try, and complain, once more.
            _send_nowhere(self._stream)
        return self.lost

    def give_up(self) -> None:
        """Forget what was lost, and let all that comes go nowhere."""
        self.lost = None
        if self._stream is None:
            self._stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  it stays until the end
        else:
            _send_nowhere(self._stream)

    def _tried(self, act: Callable[[TextIO], object]) -> None:
        if self._stream is None:
            self.lost = OSError(errno.EBADF, "it is closed")
            raise self.lost
        try:
            act(self._stream)
        except BrokenPipeError:
            _send_nowhere(self._stream)
        except OSError as error:
            self.lost = error
            raise


def _send_nowhere(stream: TextIO) -> None:
    """Have what is still held back, and all that comes, go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def tell(message: str) -> None:
    """Write to standard error, where there is one to write to."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(message, file=sys.stderr, flush=True)


def mention(message: str) -> None:
    """Write to standard output what nothing depends on: where that fails, a note says so and the program goes on."""
    try:
        print(message, flush=True)
    except OSError as error:
        if isinstance(sys.stdout, Output):
            sys.stdout.give_up()
        tell(f"note: standard output cannot be written: {error.strerror or error}; all else goes on")
