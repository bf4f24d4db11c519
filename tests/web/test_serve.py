import contextlib
import http.client
import json
import signal
import socket
import subprocess
import threading
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.store.bundles import execute, rows
from tests.web.serving import command, environment, serving

BODY = json.dumps({"query": "{ axes { layers { id } } }"}).encode()


def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=60, check=False, env=environment(**more)
    )


def test_first_start_loads_the_shipped_catalog_and_the_next_one_finds_it(tmp_path: Path) -> None:
    # No database is named: it lies in the user's data folder, which is made.
    home = tmp_path / "home"
    env = environment(XDG_DATA_HOME=str(home))

    with serving(log=tmp_path / "first", env=env) as service:
        first = list(service.said)
    with serving(log=tmp_path / "second", env=env) as service:
        second = list(service.said)
        revisions = httpx.post(f"{service.url}/graphql", json={"query": "{ revisions { number author message } }"})

    hint = "  The database was empty: the catalog and rules of this program were loaded into it."
    assert hint in first
    assert hint not in second
    assert "knockon catalog load" not in "\n".join(second)
    assert (home / "knockon" / "knockon.db").is_file()
    assert revisions.json()["data"]["revisions"] == [
        {"number": 1, "author": "knockon", "message": "the catalog and rules of this program"}
    ]


def test_first_answer_is_shown_when_asked_for(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/knockon.db"
    with serving("--database-url", url, "--show-first-answer", log=tmp_path / "log") as service:
        service.wait_for("The first question:  vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 8")
        service.wait_for("The answer:          degraded")
        service.wait_for("^K001 degraded: .*storage")
        service.wait_for("valid range \\[1, 2\\]")
        service.wait_for("but: .*network")
        service.wait_for("Source: .*https://")

        # And it goes on serving.
        assert httpx.get(f"{service.url}/healthz").status_code == 200


def test_stop_lets_running_requests_end_and_takes_no_new_ones(tmp_path: Path) -> None:
    with serving("--database-url", f"sqlite:///{tmp_path}/knockon.db", log=tmp_path / "log") as service:
        running = http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=20)
        running.putrequest("POST", "/graphql")
        running.putheader("content-type", "application/json")
        running.putheader("content-length", str(len(BODY)))
        running.endheaders(BODY[:10])
        # The request has reached the application once another one, sent later, is answered.
        assert httpx.get(f"{service.url}/healthz").status_code == 200

        service.process.send_signal(signal.SIGTERM)
        refuses = threading.Event()
        while not refuses.is_set():
            with contextlib.suppress(TimeoutError):
                try:
                    socket.create_connection((running.host, running.port), timeout=1).close()
                except ConnectionRefusedError:
                    refuses.set()
        still_running = service.process.poll() is None
        running.send(BODY[10:])
        answer = running.getresponse()
        body = json.load(answer)
        running.close()

        assert still_running
        assert answer.status == 200
        assert len(body["data"]["axes"]["layers"]) == 7
        assert service.process.wait(timeout=20) == 0
    assert (tmp_path / "log").read_text().count("Traceback") == 0


def test_interrupt_ends_it_quietly(tmp_path: Path) -> None:
    with serving("--database-url", f"sqlite:///{tmp_path}/knockon.db", log=tmp_path / "log") as service:
        service.process.send_signal(signal.SIGINT)

        assert service.process.wait(timeout=20) in (0, 130)
    assert (tmp_path / "log").read_text().count("Traceback") == 0


def test_port_in_use_is_said_before_anything_is_made(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = run("--port", port, "--database-url", f"sqlite:///{tmp_path}/knockon.db")

    assert ended.returncode == 2
    assert f"port {port} of 127.0.0.1 is in use by another program; expected a free port" in ended.stderr
    assert "--port" in ended.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--host", "no.such.host.invalid"], "no.such.host.invalid:0 cannot be listened on", id="host"),
        pytest.param(["--database-url", "sqlite:////no/such/folder/k.db"], "its folder is not there", id="folder"),
        pytest.param(
            ["--database-url", "mysql://root@localhost/k"], "a database of kind 'mysql'", id="kind of database"
        ),
        pytest.param(["--database-url", "sqlite://"], "an SQLite database without a file", id="no file"),
    ],
)
def test_start_that_cannot_be_is_refused(arguments: list[str], said: str, tmp_path: Path) -> None:
    ended = run("--port", "0", *arguments, XDG_DATA_HOME=str(tmp_path))

    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_database_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/knockon.db"
    execute(
        url, "CREATE TABLE alembic_version (version_num VARCHAR(32))", "INSERT INTO alembic_version VALUES ('9999')"
    )

    ended = run("--port", "0", "--database-url", url)

    assert ended.returncode == 2
    assert "newer version" in ended.stderr
    assert rows(url, "SELECT version_num FROM alembic_version") == [("9999",)]


def test_password_in_the_database_url_is_never_said(tmp_path: Path) -> None:
    url = "postgresql://curator:hunter2@127.0.0.1:1/knockon"

    ended = run("--port", "0", "--database-url", url)

    assert ended.returncode == 2
    assert "does not answer" in ended.stderr
    assert "hunter2" not in ended.stderr + ended.stdout
