"""How the service logs: one line per event to stderr, its fields as name=value behind the message."""

import logging
import sys
import time
from typing import Final

# What every record has; all else was given as a field of the event.
_OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class Lines(logging.Formatter):
    """One line per record, and the traceback below it where there is one."""

    def __init__(self) -> None:
        """Time in UTC, so that lines of several machines can be put in order."""
        super().__init__("%(asctime)sZ %(levelname)s %(name)s: %(message)s", datefmt="%Y-%m-%dT%H:%M:%S")
        self.converter = time.gmtime

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name it has in the base class
        """The line without its traceback."""
        fields = "".join(f" {name}={value}" for name, value in vars(record).items() if name not in _OWN)
        return super().formatMessage(record) + fields


def log_to_stderr(level: str) -> None:
    """Send everything at or above `level` to stderr; the server's own lines only from a warning on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for noisy in ("uvicorn", "alembic"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, logging.getLogger().level))
