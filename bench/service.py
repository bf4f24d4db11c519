"""How much the service costs over a bare ASGI application that sends the same bytes from the same server.

Three servers run side by side, each a uvicorn process: the bare one, Knock-on as it is (answers kept), and Knock-on
that keeps no answers, so that every request is executed. In each round all are measured one after the other, so that
whatever else the machine does meets all of them; what is printed are the medians of the rounds' ratios.
"""

import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import uvloop

SERVERS = Path(__file__).with_name("servers.py")
CONNECTIONS = 16
QUERIES = {
    "technique by id": (
        """query ($id: ID!) { technique(id: $id) { ... on Technique {
          id name { en zh } home { stage layer dimension }
          costs { onto quantity { id } change says { en } sources { title url checked } }
        } } }""",
        {"id": "tensor-parallelism"},
    ),
    "check, worked example": (
        """query ($input: CheckInput!) { check(input: $input) { ... on CheckAnswer {
          verdict
          findings {
            rule { id } verdict says { en }
            derivation { name expression value unit from }
            shifts { from onto quantity { id } factor }
            fixes { technique { id } set { name value } range knockOn { en } }
            sources { title url checked }
          }
          sizing { kvHeadReplicas kvBytesPerTokenPerGpu }
          cannotTell { rule { id } needs }
        } } }""",
        {"input": {"command": "vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 8"}},
    ),
    "breaks, 3 hops": (
        """query ($id: ID!) { breaks(technique: $id, depth: 3) { ... on Breaks {
          hops { kind depth truth after worsens source { kind id change } target { kind id change } says { en } }
          loops { kind truth }
          truncated
        } } }""",
        {"id": "tensor-parallelism"},
    ),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement of one server."""

    requests_per_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: float
    """CPU of the server's process per request."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    port: int
    pid: int


def service(*, rounds: int, seconds: float) -> None:
    """Measure and print."""
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        url = f"sqlite:///{folder}/knockon.db"
        subprocess.run([sys.executable, SERVERS, "load", url, "0"], check=True)
        kept = stack.enter_context(serving("keeping", url))
        executing = stack.enter_context(serving("executing", url))
        answers = {name: asyncio.run(answer_of(kept, request_of(*query))) for name, query in QUERIES.items()}
        for name, query in QUERIES.items():
            assert asyncio.run(answer_of(executing, request_of(*query))) == answers[name], name
        bodies = Path(folder) / "answers.json"
        bodies.write_text(
            json.dumps({_body(*QUERIES[name]).decode(): answer.decode() for name, answer in answers.items()})
        )
        bare = stack.enter_context(serving("bare", str(bodies)))
        for name, query in QUERIES.items():
            assert asyncio.run(answer_of(bare, request_of(*query))) == answers[name], name
        servers = {"bare": bare, "answers kept": kept, "executed": executing}
        _pin(servers)
        for name, query in QUERIES.items():
            _measure(name, len(answers[name]), request_of(*query), servers, rounds, seconds)


def _measure(name: str, size: int, request: bytes, servers: dict[str, Server], rounds: int, seconds: float) -> None:
    found: dict[str, list[Measured]] = {server: [] for server in servers}
    for server in servers.values():
        asyncio.run(_load(server, request, 0.2))
    for _ in range(rounds):
        for server_name, server in servers.items():
            found[server_name].append(asyncio.run(_load(server, request, seconds)))
    print(f"\n{name}: {size:,} bytes, {CONNECTIONS} connections, {rounds} rounds of {seconds:g} s")
    titles = (f"{'requests/s':>11}", f"{'× bare':>7}", f"{'p50 ms':>8}", f"{'p99 ms':>8}", f"{'× bare':>7}")
    print(f"  {'':13}", *titles, f"{'CPU µs':>8} {'× bare':>7}")
    for server_name, measured in found.items():
        bare = found["bare"]
        speed = statistics.median(one.requests_per_s for one in measured)
        rate = statistics.median(
            one.requests_per_s / floor.requests_per_s for one, floor in zip(measured, bare, strict=True)
        )
        tail = statistics.median(one.p99_ms / floor.p99_ms for one, floor in zip(measured, bare, strict=True))
        cost = statistics.median(one.cpu_us / floor.cpu_us for one, floor in zip(measured, bare, strict=True))
        p50, p99 = (statistics.median(getattr(one, key) for one in measured) for key in ("p50_ms", "p99_ms"))
        cpu = statistics.median(one.cpu_us for one in measured)
        print(f"  {server_name:13} {speed:11,.0f} {rate:7.2f} {p50:8.2f} {p99:8.2f} {tail:7.2f} {cpu:8.0f} {cost:7.2f}")


# --- asking ---------------------------------------------------------------------------------------------------------


def _body(query: str, variables: object) -> bytes:
    return json.dumps({"query": query, "variables": variables}).encode()


def request_of(query: str, variables: object) -> bytes:
    body = _body(query, variables)
    head = (
        "POST /graphql HTTP/1.1",
        "host: 127.0.0.1",
        "content-type: application/json",
        f"content-length: {len(body)}",
    )
    return "\r\n".join((*head, "", "")).encode() + body


class _Connection(asyncio.Protocol):
    """Sends one request after the other, and notes how long each took."""

    def __init__(self, request: bytes, took: list[float]) -> None:
        self._request = request
        self._took = took
        self._missing = -1
        self._started = 0.0
        self._until = 0.0
        self.idle = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # A server takes in a connection or two between requests, so one that is new would wait for its turn far longer.
        # The first request is therefore not counted; it ends when the server has the connection.
        self._transport = transport
        self._ask()

    def ask_until(self, until: float) -> None:
        """Ask over and over up to a time."""
        self._took.clear()
        self._until = until
        self.idle = asyncio.get_running_loop().create_future()
        self._ask()

    def data_received(self, data: bytes) -> None:
        if self._missing < 0:
            head, _, rest = data.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            lowered = head.lower()
            at = lowered.index(b"content-length:") + len(b"content-length:")
            self._missing = int(lowered[at:].split(b"\r\n", 1)[0]) - len(rest)
        else:
            self._missing -= len(data)
        if self._missing == 0:
            now = time.perf_counter()
            self._took.append(now - self._started)
            if now < self._until:
                self._ask()
            else:
                self.idle.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.idle.done():
            self.idle.set_exception(error or ConnectionError("the server closed the connection"))

    def close(self) -> None:
        self._transport.close()

    def _ask(self) -> None:
        self._missing = -1
        self._started = time.perf_counter()
        self._transport.write(self._request)  # type: ignore[attr-defined]


async def _load(server: Server, request: bytes, seconds: float) -> Measured:
    loop = asyncio.get_running_loop()
    took: list[float] = []
    made = [
        await loop.create_connection(lambda: _Connection(request, took), "127.0.0.1", server.port)
        for _ in range(CONNECTIONS)
    ]
    connections = [connection for _transport, connection in made]
    await asyncio.gather(*(one.idle for one in connections))
    started, cpu = time.perf_counter(), cpu_s(server.pid)
    for one in connections:
        one.ask_until(started + seconds)
    await asyncio.gather(*(one.idle for one in connections))
    cpu, lasted = cpu_s(server.pid) - cpu, time.perf_counter() - started
    for one in connections:
        one.close()
    cuts = statistics.quantiles(took, n=100)
    return Measured(len(took) / lasted, cuts[49] * 1e3, cuts[98] * 1e3, cpu / len(took) * 1e6)


async def answer_of(server: Server, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    assert head.startswith(b"http/1.1 200"), head
    length = int(head[head.index(b"content-length:") + len(b"content-length:") :].split(b"\r\n", 1)[0])
    body = await reader.readexactly(length)
    writer.close()
    return body


def cpu_s(pid: int) -> float:
    """CPU seconds that a process has used, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _pin(servers: dict[str, Server]) -> None:
    """Keep whoever asks and whoever answers on cores of their own, where there are two."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[0]})
        for server in servers.values():
            os.sched_setaffinity(server.pid, {cores[1]})


# --- the servers, each in a process of its own -----------------------------------------------------------------------


@contextlib.contextmanager
def serving(kind: str, argument: str, *, until_s: float = 60) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, SERVERS, kind, argument, str(port)])
    try:
        until = time.monotonic() + until_s
        while not _is_ready(port):
            assert process.poll() is None, f"the server {kind} ended"
            assert time.monotonic() < until, f"the server {kind} did not start"
            time.sleep(0.05)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def _is_ready(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as asking:
        asking.sendall(b"GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
        return asking.recv(64).startswith(b"HTTP/1.1 200")
    return False
