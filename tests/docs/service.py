"""The service as a reader of the README starts it, on a port of its own."""

import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.docs.console import environment

_STARTED_WITHIN_S = 180


@dataclass
class Service:
    """A running service and what it has said on standard output so far."""

    port: int
    lines: list[str] = field(default_factory=list)
    has_answered: threading.Event = field(default_factory=threading.Event)

    @property
    def said(self) -> str:
        return "".join(self.lines)


@contextmanager
def serving(home: Path) -> Iterator[Service]:
    """What `make run` starts, until the end of the `with`; its first answer was given before it begins."""
    service = Service(_free_port())
    command = ["knockon", "serve", "--show-first-answer", "--port", str(service.port)]
    process = subprocess.Popen(
        command,
        env=environment(home, "C.UTF-8"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    reader = threading.Thread(target=_read, args=(process, service), daemon=True)
    reader.start()
    try:
        assert service.has_answered.wait(_STARTED_WITHIN_S), f"no first answer:\n{service.said}"
        yield service
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=_STARTED_WITHIN_S)
        reader.join(timeout=_STARTED_WITHIN_S)
        assert process.stdout is not None
        process.stdout.close()


def _read(process: "subprocess.Popen[str]", service: Service) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        service.lines.append(line)
        # The answer is said at once, and ends with its sources.
        if line.startswith("  Source: "):
            service.has_answered.set()
    service.has_answered.set()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
