import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.program import said_by
from tests.serving import START_SECONDS_MAX, command, environment, serving
from tests.store.bundles import execute, rows

BODY = json.dumps({"query": "{ axes { layers { id } } }"}).encode()


def refused(*arguments: str) -> str:
    """What `knockon serve` says where it ends at once for wrong use."""
    code, said = said_by(["serve", *arguments], environment=environment(), folder=Path.cwd())
    assert code == 2
    return said


@dataclass(frozen=True)
class Started:
    """A data folder in which the service was started once, what it said then and how it ended."""

    home: Path
    said: list[str]
    code: int
    log: str


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Started:
    """Give what the first start left, asked for the first answer and ended by an interrupt.

    No database is named: it lies in the user's data folder, which is made.
    """
    folder = tmp_path_factory.mktemp("started")
    log = folder / "log"
    env = environment(XDG_DATA_HOME=str(folder / "home"))
    with serving("--show-first-answer", log=log, env=env) as service:
        service.wait_for("Source: .*https://")
        # And it goes on serving.
        assert httpx.get(f"{service.url}/healthz", trust_env=False).status_code == 200
        service.process.send_signal(signal.SIGINT)
        code = service.process.wait(timeout=20)
    return Started(folder / "home", service.said, code, log.read_text())


HINT = "  The database was empty: the catalog and rules of this program were loaded into it."


def test_first_start_loads_the_shipped_catalog(started: Started) -> None:
    assert HINT in started.said
    assert (started.home / "knockon" / "knockon.db").is_file()


def test_first_answer_is_shown_when_asked_for(started: Started) -> None:
    said = iter(started.said)

    for pattern in (
        "The first question:  vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 8",
        "The answer:          degraded",
        "^K001 degraded: .*storage",
        "valid range \\[1, 2\\]",
        "but: .*network",
        "Source: .*https://",
    ):
        assert any(re.search(pattern, line) for line in said), f"{pattern!r} is not said, or out of order"


def test_interrupt_ends_it_quietly(started: Started) -> None:
    assert started.code in (0, 130)
    assert started.log.count("Traceback") == 0


def test_reader_that_leaves_does_not_end_the_service(tmp_path: Path, started: Started) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    read, write = os.pipe()
    os.close(read)
    arguments = command("--port", str(port), "--show-first-answer")
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            arguments, stdout=write, stderr=log, env=environment(XDG_DATA_HOME=str(started.home))
        )
    os.close(write)
    try:
        # The first question is answered once it is counted.
        wait_until_counted(
            f"http://127.0.0.1:{port}/metrics", 'knockon_requests_total{operation="check",status="200"} 1'
        )
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
    assert re.fullmatch(".* revision loaded .*\n", (tmp_path / "log").read_text())


def wait_until_counted(url: str, line: str) -> None:
    end = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < end:
        with contextlib.suppress(httpx.TransportError):
            if line in httpx.get(url, trust_env=False).text:
                return
        time.sleep(0.05)
    raise AssertionError(f"never said: {line}")


def test_next_start_finds_the_catalog_and_a_stop_lets_running_requests_end(started: Started, tmp_path: Path) -> None:
    with (
        serving(log=tmp_path / "log", env=environment(XDG_DATA_HOME=str(started.home))) as service,
        contextlib.closing(http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=20)) as running,
    ):
        said = list(service.said)
        query = {"query": "{ revisions { number author message } }"}
        revisions = httpx.post(f"{service.url}/graphql", json=query, trust_env=False).json()["data"]["revisions"]
        running.putrequest("POST", "/graphql")
        running.putheader("content-type", "application/json")
        running.putheader("content-length", str(len(BODY)))
        running.endheaders(BODY[:10])
        # The request has reached the application once another one, sent later, is answered.
        assert httpx.get(f"{service.url}/healthz", trust_env=False).status_code == 200

        service.process.send_signal(signal.SIGTERM)
        wait_until_refused(running.host, running.port)
        still_running = service.process.poll() is None
        running.send(BODY[10:])
        answer = running.getresponse()
        body = json.load(answer)

        assert still_running
        assert answer.status == 200
        assert len(body["data"]["axes"]["layers"]) == 7
        assert service.process.wait(timeout=20) == 0
    assert (tmp_path / "log").read_text().count("Traceback") == 0
    assert HINT not in said
    assert "knockon catalog load" not in "\n".join(said)
    assert revisions == [{"number": 1, "author": "knockon", "message": "the catalog and rules of this program"}]


def test_request_that_never_comes_in_whole_is_answered_at_the_stop(started: Started, tmp_path: Path) -> None:
    env = environment(XDG_DATA_HOME=str(started.home), KNOCKON_STOP_S="1")
    with serving(log=tmp_path / "log", env=env) as service, contextlib.ExitStack() as stack:
        halves = []
        # The second is refused for its type before it is read.
        for content_type in ("application/json", "text/plain"):
            half = stack.enter_context(
                contextlib.closing(http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=20))
            )
            half.putrequest("POST", "/graphql")
            half.putheader("content-type", content_type)
            half.putheader("content-length", str(len(BODY)))
            half.endheaders(BODY[:10])
            halves.append(half)
        assert httpx.get(f"{service.url}/healthz", trust_env=False).status_code == 200

        service.process.send_signal(signal.SIGTERM)
        answers = [half.getresponse() for half in halves]
        codes = [json.load(answer)["errors"][0]["extensions"]["code"] for answer in answers]

        assert service.process.wait(timeout=20) == 0
    assert (answers[0].status, codes[0]) == (503, "stopping")
    assert "Traceback" not in (tmp_path / "log").read_text()


def wait_until_refused(host: str, port: int) -> None:
    """Wait until a new connection is refused; one that was waiting to be taken in is reset instead."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            socket.create_connection((host, port), timeout=5).close()
        except ConnectionRefusedError:
            return
        except OSError:
            continue
        time.sleep(0.01)
    raise AssertionError("new connections are still taken in")


def test_port_in_use_is_said_before_anything_is_made(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused("--port", port, "--database-url", f"sqlite:///{tmp_path}/knockon.db")

    assert f"port {port} of 127.0.0.1 is in use by another program; expected a free port" in said
    assert "choose another with --port or KNOCKON_PORT" in said
    assert list(tmp_path.iterdir()) == []


def test_address_of_no_machine_is_refused(tmp_path: Path) -> None:
    # One of those that are for documents only (RFC 5737), so no machine has it.
    said = refused("--port", "0", "--host", "192.0.2.1", "--database-url", f"sqlite:///{tmp_path}/knockon.db")

    assert "192.0.2.1:0 cannot be listened on: " in said
    assert list(tmp_path.iterdir()) == []


def test_folder_of_a_named_database_is_not_made(tmp_path: Path) -> None:
    said = refused("--port", "0", "--database-url", f"sqlite:///{tmp_path}/none/k.db")

    assert "cannot be made: its folder is not there" in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_database_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/knockon.db"
    execute(
        url, "CREATE TABLE alembic_version (version_num VARCHAR(32))", "INSERT INTO alembic_version VALUES ('9999')"
    )

    said = refused("--port", "0", "--database-url", url)

    assert "newer version" in said
    assert rows(url, "SELECT version_num FROM alembic_version") == [("9999",)]


def test_password_in_the_database_url_is_never_said(tmp_path: Path) -> None:
    url = "postgresql://curator:hunter2@127.0.0.1:1/knockon"

    said = refused("--port", "0", "--database-url", url)

    assert "does not answer" in said
    assert "hunter2" not in said
