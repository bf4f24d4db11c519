"""Runs the application in this process, so that a test can look into it and count what it does."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import uvicorn
from sqlalchemy import event

from knockon.settings import Settings
from knockon.store.store import Store
from knockon.terms.bundle import Bundle, Entry
from knockon.web.app import create_app
from tests.catalog.bundles import AXES, citation
from tests.serving import client_of

SECONDS_MAX = 60.0
TODAY = "2026-11-29"


def bundle(*entries: Entry) -> Bundle:
    """A bundle that can be served: the makers' axes and citation, and these entries."""
    return Bundle.of((AXES, citation(), *entries))


@contextlib.contextmanager
def application(
    url: str, *, store: Store | None = None, today: Callable[[], str] = lambda: TODAY, **settings: Any
) -> Iterator[httpx.Client]:
    """Yield a client of the application on a database; it is served from a thread of this process."""
    app = create_app(Settings(database_url=url, **{"poll_s": 0.05, **settings}), store=store, today=today)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, lifespan="on", ws="none", log_config=None, access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            with client_of(base_url) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join()


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that another thread brings about."""
    end = time.monotonic() + SECONDS_MAX
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


def ready(client: httpx.Client, number: int = 1) -> None:
    """Wait until a revision is served."""
    until(lambda: (client.get("/readyz").json()["revision"] or {}).get("number") == number)


def asked(client: httpx.Client, query: str, **variables: Any) -> Any:
    """The data of an answer without errors."""
    answer = client.post("/graphql", json={"query": query, "variables": variables}).json()
    assert "errors" not in answer, answer["errors"]
    return answer["data"]


@contextlib.contextmanager
def statements(store: Store) -> Iterator[list[str]]:
    """Yield the list that every SQL statement of the store is put on."""
    seen: list[str] = []
    engine = store._database.engine

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)
