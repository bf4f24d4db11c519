"""A PostgreSQL server for tests: the one at 127.0.0.1:5432, else one started here from the system's binaries."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg

HOST = "127.0.0.1"
PORT = 5432
# A cold start on two busy cores took 3 s; past this the server is not coming.
START_SECONDS_MAX = 60


class PostgresMissing(Exception):
    """No server answers and none can be started; the text says why."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server that lets `postgres` in without a password."""

    port: int

    def dsn(self, database: str = "postgres") -> str:
        """Return what psycopg connects to."""
        return f"postgresql://postgres@{HOST}:{self.port}/{database}"

    @contextlib.contextmanager
    def fresh_database(self) -> Iterator[str]:
        """Make an empty database, yield its SQLAlchemy URL, drop it with whoever is still connected."""
        name = f"knockon_test_{uuid.uuid4().hex[:16]}"
        with psycopg.connect(self.dsn(), autocommit=True) as admin:
            # template0: template1 cannot be copied while somebody is connected to it.
            admin.execute(f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING 'UTF8'")
            try:
                yield f"postgresql+psycopg://postgres@{HOST}:{self.port}/{name}"
            finally:
                admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextlib.contextmanager
def postgres_server() -> Iterator[Server]:
    """Yield a running server; one started here is stopped and its files are removed.

    Raises:
        PostgresMissing: nothing answers, and the binaries are missing or do not start.
    """
    running = Server(PORT)
    if _refusal(running) is None:
        yield running
    else:
        with _started_server() as started:
            yield started


def _refusal(server: Server) -> str | None:
    """Return why the server cannot be used, or None when it answers."""
    try:
        psycopg.connect(server.dsn(), connect_timeout=3).close()
    except psycopg.OperationalError as error:
        return str(error)
    return None


@contextlib.contextmanager
def _started_server() -> Iterator[Server]:
    binaries = _binaries()
    folder = Path(tempfile.mkdtemp(prefix="knockon-postgres-"))
    try:
        # PostgreSQL refuses to run as root.
        account = _unprivileged_account() if os.geteuid() == 0 else None
        if account:
            os.chown(folder, account.pw_uid, account.pw_gid)
        run_as = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}
        data = folder / "data"
        made = subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            cwd=folder, capture_output=True, text=True, check=False, **run_as,
        )  # fmt: skip
        if made.returncode:
            raise PostgresMissing(f"initdb failed: {made.stderr.strip()}")
        server = Server(_free_port())
        log = folder / "log"
        with log.open("w") as output:
            process = subprocess.Popen(
                [binaries / "postgres", "-D", data, "-h", HOST, "-p", f"{server.port}", "-k", folder, "-F"],
                cwd=folder, stdout=output, stderr=subprocess.STDOUT, **run_as,
            )  # fmt: skip
        try:
            _wait_until_it_answers(server, process, log=log)
            yield server
        finally:
            # SIGINT: sessions are ended, files are closed.
            process.send_signal(signal.SIGINT)
            process.wait(timeout=START_SECONDS_MAX)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _binaries() -> Path:
    """Return the newest folder that has the server: Debian keeps it outside PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    found = debian[-1] if debian else shutil.which("postgres")
    if not found:
        raise PostgresMissing(f"no PostgreSQL answers at {HOST}:{PORT} and its server is not installed")
    return Path(found).parent


def _unprivileged_account() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise PostgresMissing("PostgreSQL refuses to run as root, and there is no account `postgres` or `nobody`")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _wait_until_it_answers(server: Server, process: subprocess.Popen[bytes], *, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS_MAX
    while (refusal := _refusal(server)) is not None:
        if process.poll() is not None:
            raise PostgresMissing(f"PostgreSQL did not start: {log.read_text()[-2000:]}")
        if time.monotonic() > deadline:
            raise PostgresMissing(f"PostgreSQL did not answer within {START_SECONDS_MAX} s: {refusal}")
        time.sleep(0.05)
