"""Standard output that cannot be written: closed, or on a full disk. It is told, never taken for a defect of ours."""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TextIO, TypeVar

Result = TypeVar("Result")


class Output:
    """Standard output that remembers why something was not written; all else is as the stream has it.

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
        return self._tried(lambda stream: stream.write(text))

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._stream is not None and self._stream.isatty()

    def flush(self) -> None:
        """Write what is held back; raises OSError."""
        if self._stream is not None:
            self._tried(lambda stream: stream.flush())

    def end(self) -> OSError | None:
        """Write what is held back, and say why anything was lost; then the rest goes nowhere. None where all is well.

        A reader that has enough of it loses nothing.
        """
        with suppress(OSError, ValueError):
            self.flush()
        if self.lost is not None and self._stream is not None:
            # Else the end of the program would try, and complain, once more.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
        return self.lost

    def _tried(self, act: Callable[[TextIO], Result]) -> Result:
        if self._stream is None:
            self.lost = OSError(errno.EBADF, "it is closed")
            raise self.lost
        try:
            return act(self._stream)
        except BrokenPipeError:
            raise
        except OSError as error:
            self.lost = error
            raise


def tell(message: str) -> None:
    """Write to standard error, where there is one to write to."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(message, file=sys.stderr, flush=True)
