"""Runs the service as its users do: its own process, its own database, real HTTP."""

import contextlib
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

# A cold start on two busy cores took 6 s, and over 60 s at low priority beside nine others; past this it is not coming.
START_SECONDS_MAX = 180
ANSWER_SECONDS_MAX = 60


@dataclass
class Service:
    """A running service and all that it has said so far."""

    process: subprocess.Popen[str]
    url: str = ""
    said: list[str] = field(default_factory=list)
    lines: "queue.Queue[str | None]" = field(default_factory=queue.Queue)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Read stdout up to the line that matches."""
        until = time.monotonic() + START_SECONDS_MAX
        while True:
            line = self.lines.get(timeout=max(0.1, until - time.monotonic()))
            assert line is not None, f"it ended before it said {pattern!r}: {self.said}"
            self.said.append(line)
            if found := re.search(pattern, line):
                return found

    def wait_until_ready(self) -> None:
        """Ask /readyz until it says 200."""
        until = time.monotonic() + START_SECONDS_MAX
        with client_of(self.url) as client:
            while client.get("/readyz").status_code != 200:
                assert time.monotonic() < until, "the service did not become ready"
                time.sleep(0.05)


def client_of(url: str) -> httpx.Client:
    """A client of a service of this machine; it reads no certificates, which would take an eighth of a second."""
    return httpx.Client(base_url=url, trust_env=False, verify=False, timeout=ANSWER_SECONDS_MAX)


def command(*arguments: str) -> list[str]:
    """The command line of the program under test."""
    return [sys.executable, "-m", "knockon", "serve", *arguments]


def environment(**more: str) -> dict[str, str]:
    """The environment with the cache of the run, without settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KNOCKON_")}
    return kept | {"KNOCKON_CACHE_DIR": os.environ["KNOCKON_CACHE_DIR"]} | more


@contextlib.contextmanager
def serving(*arguments: str, log: Path, env: Mapping[str, str] | None = None) -> Iterator[Service]:
    """Yield the service, started and ready; it is killed at the end if it has not ended by itself."""
    with log.open("w") as errors:
        process = subprocess.Popen(
            command("--port", "0", *arguments),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment() if env is None else dict(env),
        )
    service = Service(process)
    reader = threading.Thread(target=_read, args=(service,), daemon=True)
    reader.start()
    try:
        service.url = service.wait_for(r"GraphQL +(http://\S+)/graphql").group(1)
        service.wait_until_ready()
        yield service
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        reader.join()


def _read(service: Service) -> None:
    assert service.process.stdout is not None
    with service.process.stdout as stream:
        for line in stream:
            service.lines.put(line.rstrip("\n"))
    service.lines.put(None)
