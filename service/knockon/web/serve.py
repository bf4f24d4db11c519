"""Runs the service: binds the port, makes the database ready, serves until it is told to stop."""

import contextlib
import errno
import gc
import math
import signal
import socket
import sys
import threading
from collections.abc import Callable

import uvicorn

from knockon.jobs.start import Started, start
from knockon.settings import DATABASE_FILE, Settings, data_dir
from knockon.store.store import Store, open_store
from knockon.terms.errors import IntakeError, KnockonError, Problem
from knockon.web.app import create_app
from knockon.web.first_answer import tell_first_answer
from knockon.web.logs import log_to_stderr

# Connections that may wait while the event loop is busy with one large question.
_BACKLOG = 2048


def run(settings: Settings, *, show_first_answer: bool, say: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; requests that are running then are still answered.

    Args:
        settings: Where to listen, and which database.
        show_first_answer: Ask the first question of the README through the service itself, and say the answer.
        say: Tells whoever started it; never raises, for a service serves on whether anybody reads that or not.

    Raises:
        IntakeError: the address cannot be listened on. StoreError: the database cannot be used. CurationError: the
            shipped tree is broken. Nothing is served then, and nothing was changed.
    """
    log_to_stderr(settings.log_level)
    # Told to stop while it starts, it stops at once; while it serves, the server first finishes what is running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with _listening(settings.host, settings.port) as listener:
        store = _opened(settings)
        started = start(store, is_read_only=settings.read_only)
        url = _url(settings.host, listener.getsockname()[1])
        say(_served(started, store, url))
        server = uvicorn.Server(
            uvicorn.Config(
                create_app(settings, store=store, when_swapped=settle),
                lifespan="on",
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=math.ceil(settings.stop_s),
            )
        )
        if show_first_answer:
            threading.Thread(target=tell_first_answer, args=(url, say), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def settle() -> None:
    """Take everything that is now in memory out of the garbage collector's rounds: it stays until the next swap.

    Only for a process that does nothing but serve. Measured with 3,000 techniques: without it full collections tripled
    the slowest hundredth of answers.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens; raises IntakeError."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            what = f"port {port} of {host} is in use by another program"
            fix = "stop it, or choose another with --port or KNOCKON_PORT"
            raise IntakeError(Problem("port-in-use", what, "a free port", fix)) from error
        what = f"{host}:{port} cannot be listened on: {error.strerror or error}"
        fix = "choose another with --host and --port"
        raise IntakeError(Problem("bad-address", what, "an address of this machine", fix)) from error


def _opened(settings: Settings) -> Store:
    """The store; of all folders only the one of the default database is made."""
    own = data_dir()
    if settings.database_url == f"sqlite:///{own / DATABASE_FILE}" and not settings.read_only:
        try:
            own.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"the folder {own} cannot be made: {error.strerror}"
            problem = Problem("folder-missing", what, fix="name a database with --database-url")
            raise KnockonError(problem) from error
    return open_store(settings.database_url, is_read_only=settings.read_only)


def _url(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in ("0.0.0.0", "") else "[::1]" if host == "::" else host  # noqa: S104 - compared, not bound
    return f"http://{f'[{shown}]' if ':' in shown and not shown.startswith('[') else shown}:{port}"


def _served(started: Started, store: Store, url: str) -> str:
    revision = started.revision
    lines = [
        f"Knock-on serves revision {revision.number} ({revision.digest[:12]}) of {store.shown_url}",
        f"  GraphQL   {url}/graphql",
        f"  query IDE {url}/ide",
        f"  health    {url}/healthz  {url}/readyz  {url}/metrics",
    ]
    if started.is_first:
        lines.insert(1, "  The database was empty: the catalog and rules of this program were loaded into it.")
    elif not started.is_shipped:
        lines.insert(1, "  This program ships another catalog; `knockon catalog load` publishes it.")
    return "\n".join([*lines, "  Ctrl-C stops it."])
