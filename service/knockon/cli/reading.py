"""Reads the files that are named on the command line: whole, UTF-8, under the caps, or a clear refusal."""

import os
import stat
import sys
from pathlib import Path

from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import INTAKE_BYTES_MAX
from knockon.terms.place import Position

STDIN = "-"


def read_text(path: str) -> str:
    """The text of a file; `-` is standard input.

    Raises:
        IntakeError: it is not there, not readable, no regular file or pipe, or not UTF-8.
        LimitExceeded: over INTAKE_BYTES_MAX; then it is not read whole.
    """
    raw = _standard_input() if path == STDIN else _bytes_of(path)
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        at = Position(shown(path), before.count("\n") + 1, len(before) - before.rfind("\n"))
        what = f"byte 0x{raw[error.start]:02x} does not belong here"
        raise IntakeError(Problem("not-utf-8", what, "UTF-8 text", "save the file as UTF-8", at)) from error


def write_text(path: str, text: str) -> None:
    """Write a file of ours; raises IntakeError where it cannot be written."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        what = f"cannot be written: {_why(error)}"
        raise IntakeError(
            Problem("unwritable-file", what, "a file in a folder that is there", at=Position(path, 1, 1))
        ) from error


def shown(path: str) -> str:
    """The path as complaints call it."""
    return "<stdin>" if path == STDIN else path


def _standard_input() -> bytes:
    # A stream that was closed before the program began is None to Python.
    if sys.stdin is None:
        raise _unreadable(shown(STDIN), "cannot be read: standard input is closed")
    try:
        raw = sys.stdin.buffer.read(INTAKE_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(shown(STDIN), f"cannot be read: {_why(error)}") from error
    return _limited(raw, shown(STDIN))


def _bytes_of(path: str) -> bytes:
    try:
        status = Path(path).stat()
        if stat.S_ISDIR(status.st_mode):
            may_look = os.access(path, os.R_OK | os.X_OK)
            raise _unreadable(path, "is a folder" if may_look else "is a folder that this user may not read")
        if stat.S_ISREG(status.st_mode) and status.st_size > INTAKE_BYTES_MAX:
            raise _too_large(path, status.st_size)
        with Path(path).open("rb") as stream:
            return _limited(stream.read(INTAKE_BYTES_MAX + 1), path)
    except (OSError, ValueError) as error:
        raise _unreadable(path, f"cannot be read: {_why(error)}") from error


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _limited(raw: bytes, path: str) -> bytes:
    if len(raw) > INTAKE_BYTES_MAX:
        raise _too_large(path, None)
    return raw


def _too_large(path: str, size: int | None) -> LimitExceeded:
    return LimitExceeded(
        "the size of the file in bytes",
        limit=INTAKE_BYTES_MAX,
        found=size,
        at=Position(path, 1, 1),
        fix="give the part that matters",
    )


def _unreadable(path: str, what: str) -> IntakeError:
    return IntakeError(Problem("unreadable-file", what, "a readable text file", at=Position(path, 1, 1)))
