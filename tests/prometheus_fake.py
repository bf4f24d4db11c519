"""A stand-in for a Prometheus server, for what a real one does not do on demand."""

import contextlib
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs

Answer = Callable[[str, str], tuple[int, bytes]]
"""From path and query to status and body."""


@dataclass
class FakePrometheus:
    """A running server; a test says what it answers, and sees what it was sent."""

    url: str = ""
    answer: Answer = lambda path, query: (200, b"")
    headers: list[dict[str, str]] = field(default_factory=list)
    pages: dict[str, bytes] = field(default_factory=dict)
    """What a browser gets, by path."""
    location: str = ""
    """Where it sends the asker, with every answer; nowhere if empty."""


@contextlib.contextmanager
def fake_prometheus() -> Iterator[FakePrometheus]:
    """Yield a server on the loopback."""
    held = FakePrometheus()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            query = parse_qs(self.rfile.read(length).decode()).get("query", [""])[0]
            held.headers.append(dict(self.headers))
            status, body = held.answer(self.path, query)
            # The asker may have gone by now.
            with contextlib.suppress(ConnectionError):
                self.send_response(status)
                if held.location:
                    self.send_header("Location", held.location)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def do_GET(self) -> None:
            body = held.pages.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    # It looks this often whether it shall stop, and every test waits for that.
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    held.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield held
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def success(result: list[object], kind: str = "vector") -> tuple[int, bytes]:
    """Return what Prometheus answers with."""
    return 200, json.dumps({"status": "success", "data": {"resultType": kind, "result": result}}).encode()
