"""A command on a terminal of its own."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping, Sequence


def on_terminal(line: Sequence[str], *, around: Mapping[str, str], typed: Sequence[str] = ()) -> tuple[int, str]:
    """The exit code of `knockon` and all that it says on a terminal on which these lines are typed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "knockon", *line]
    with subprocess.Popen(command, env=dict(around), stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, "".join(f"{one}\n" for one in typed).encode())
        said = b""
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:
            # How Linux says that the other side of a terminal is gone.
            pass
        finally:
            os.close(ours)
        return process.wait(60), said.decode()
