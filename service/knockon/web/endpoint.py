"""GraphQL over HTTP: POST with a JSON body, GET for links.

A plain ASGI application: FastAPI's routing would cost more than most answers.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qs

import orjson
from starlette.types import Message, Receive, Scope, Send

from knockon.api.document import INVALID, Documents
from knockon.api.execute import Answer, Request, answer, refused
from knockon.api.refusals import shown_refusal
from knockon.api.schema import executable
from knockon.jobs.history import History
from knockon.terms.errors import KnockonError, Problem
from knockon.terms.limits import GRAPHQL_BODY_BYTES_MAX, HISTORY_WAITING_MAX, LISTS_WAITING_MAX
from knockon.terms.words import Json
from knockon.web.answers import Answers, Kept
from knockon.web.encode import encoded
from knockon.web.figures import Figures
from knockon.web.heads import Head, read_head
from knockon.web.incoming import Disconnected, Incoming
from knockon.web.snapshots import Snapshot, Snapshots

# The two media types of the GraphQL over HTTP specification, which differ in what a refused request's status is.
_JSON = b"application/json; charset=utf-8"
_GRAPHQL = b"application/graphql-response+json; charset=utf-8"

# Writers wait for one another in the database anyway; readers of SQLite and PostgreSQL do not.
_DATABASE_THREADS = 4
# One list of deployments after another: two at once would only share the time.
_LIST_THREADS = 1

_STOPPING = Problem("stopping", "the service is being stopped", fix="ask again when it is back")


@dataclass(frozen=True, slots=True)
class HttpRefusal(Exception):
    """A request that is none: its status and what is wrong with it."""

    status: int
    problem: Problem


class Endpoint:
    """Answers at /graphql."""

    def __init__(
        self,
        snapshots: Snapshots,
        history: History,
        answers: Answers,
        figures: Figures,
        *,
        today: Callable[[], str],
    ) -> None:
        """Answer from these snapshots, and of these runs; keep answers and count. `today` gives the ISO day."""
        self._snapshots = snapshots
        self._today = today
        self._history = history
        # Threads of their own: however long the database is locked, looks for a new revision have theirs.
        self._on_database = _Aside(_DATABASE_THREADS, "history")
        self._at_length = _Aside(_LIST_THREADS, "checks")
        self._answers = answers
        self._figures = figures
        self._schema = executable()
        self._documents = Documents(self._schema)
        self._kept_of: Snapshot | None = None
        self._kept_on = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        """Answer one request."""
        head = read_head(scope)
        incoming = Incoming(receive)
        started = time.perf_counter()
        try:
            kept = await self._answered(scope["method"], head, incoming, request_id)
        except HttpRefusal as refusal:
            self._figures.count(INVALID, refusal.status, time.perf_counter() - started)
            await send_refusal(send, refusal, head, request_id, incoming=incoming, allowed=b"GET, POST")
            return
        except Disconnected:
            return
        except asyncio.CancelledError:
            # The server is told to stop, and has no more time for what still runs or comes in.
            kept = _encoded(refused(_STOPPING), 503, INVALID)
        self._figures.count(kept.label, kept.status, time.perf_counter() - started)
        await send(_start(kept, head, request_id))
        await send({"type": "http.response.body", "body": kept.body})

    async def _answered(self, method: str, head: Head, incoming: Incoming, request_id: str) -> Kept:
        snapshot = self._snapshots.current
        if snapshot is None:
            raise HttpRefusal(503, Problem("not-ready", "no revision is loaded yet", fix="see /readyz, and try again"))
        today = self._today()
        if snapshot is not self._kept_of or today != self._kept_on:
            # Answers of the revision before are never asked for again, and what was fresh yesterday may be stale.
            self._answers.clear()
            self._kept_of, self._kept_on = snapshot, today
        body = await _body(method, head, incoming)
        # The body as it was sent says all that the answer depends on; equal bodies need not even be read.
        raw_key = b"%b %b %b" % (method.encode(), b"g" if head.wants_graphql else b"j", body)
        found = self._answers.find(raw_key)
        if found is not None:
            self._figures.hits += 1
            return found
        request = _request_of(method, body)
        key = _key(request, is_graphql=head.wants_graphql)
        found = self._answers.find(key)
        if found is not None:
            self._figures.hits += 1
            self._answers.keep(raw_key, found)
            return found
        self._figures.misses += 1
        given, label = await self._asked(method, request, snapshot, request_id, today)
        # A refused request is 400 only for clients that know the newer media type (GraphQL over HTTP, section 6.4).
        kept = _encoded(given, 400 if given.is_refused and head.wants_graphql else 200, label)
        if given.is_final and snapshot is self._kept_of and today == self._kept_on:
            self._answers.keep(key, kept)
            self._answers.keep(raw_key, kept)
        return kept

    async def _asked(
        self, method: str, request: Request, snapshot: Snapshot, request_id: str, today: str
    ) -> tuple[Answer, str]:
        document = self._documents.read(request.query)
        if method == "GET" and document.is_mutation(request.operation_name):
            # A link must not change anything (GraphQL over HTTP, section 6.2).
            raise HttpRefusal(405, Problem("method-not-allowed", "GET changes nothing here", "POST for a mutation"))
        try:
            view = await self._snapshots.view(snapshot, document.revisions(request.variables))
        except KnockonError as error:
            return Answer({"errors": [shown_refusal(error)]}, is_refused=True, is_final=False), document.label
        ask = partial(
            answer,
            self._schema,
            document,
            request,
            revisions=view,
            request_id=request_id,
            today=today,
            history=self._history,
        )
        if document.asks_database:
            if (waiting := self._on_database.waiting) >= HISTORY_WAITING_MAX:
                what = f"{waiting} requests wait for the database already"
                raise HttpRefusal(503, Problem("history-busy", what, fix="try again a little later"))
            given = await self._on_database.ask(ask)
        elif document.takes_long:
            if (waiting := self._at_length.waiting) >= LISTS_WAITING_MAX:
                what = f"{waiting} lists of deployments wait already"
                raise HttpRefusal(503, Problem("checks-busy", what, fix="try again a little later"))
            given = await self._at_length.ask(ask)
        else:
            given = ask()
        return given, document.label


class _Aside:
    """Threads for answers that take long, while the event loop answers others."""

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self.waiting = 0

    async def ask(self, ask: Callable[[], Answer]) -> Answer:
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        finally:
            self.waiting -= 1


async def _body(method: str, head: Head, incoming: Incoming) -> bytes:
    if method == "GET":
        return head.query
    if method != "POST":
        problem = Problem("method-not-allowed", f"{method} is not understood here", "POST or GET")
        raise HttpRefusal(405, problem)
    if head.content_type != "application/json":
        problem = Problem(
            "unsupported-media-type",
            f"the body is of type {head.content_type[:80]!r}",
            expected="application/json",
            fix="send the header Content-Type: application/json",
        )
        raise HttpRefusal(415, problem)
    if head.content_length > GRAPHQL_BODY_BYTES_MAX:
        raise _too_large(head.content_length)
    parts: list[bytes] = []
    size = 0
    while not incoming.is_over:
        part = await incoming.part()
        size += len(part)
        if size > GRAPHQL_BODY_BYTES_MAX:
            raise _too_large(size)
        parts.append(part)
    return b"".join(parts)


def _too_large(size: int) -> HttpRefusal:
    what = f"the body is over the limit of {GRAPHQL_BODY_BYTES_MAX:,} bytes, found {size:,} or more"
    return HttpRefusal(413, Problem("limit-exceeded", what, fix="send a smaller request"))


def _request_of(method: str, body: bytes) -> Request:
    """The request in a JSON body, or in the query of an address; raises HttpRefusal."""
    sent = _from_address(body) if method == "GET" else _from_json(body, "the body")
    if isinstance(sent, list):
        raise _bad_request("the body is a list of requests", expected="one request: a JSON object")
    if not isinstance(sent, dict):
        raise _bad_request("the body is no JSON object", expected='an object with "query"')
    query, variables, name = sent.get("query"), sent.get("variables") or {}, sent.get("operationName")
    if not isinstance(query, str) or not query.strip():
        raise _bad_request(
            "there is no query", expected='a GraphQL document under "query"', fix="a page to try it on is at /ide"
        )
    if not isinstance(variables, dict):
        raise _bad_request("variables is no JSON object", expected="an object of variable to value")
    if name is not None and not isinstance(name, str):
        raise _bad_request("operationName is no text", expected="the name of an operation of the document")
    return Request(query, variables, name or None)


def _from_json(text: bytes | str, what: str) -> Json:
    try:
        read: Json = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise _bad_request(f"{what} is no JSON: {error}", code="malformed-json", expected="a JSON object") from error
    return read


def _from_address(query: bytes) -> Mapping[str, Json]:
    try:
        fields = {name: values[-1] for name, values in parse_qs(query.decode("ascii"), max_num_fields=20).items()}
    except ValueError as error:
        raise _bad_request(f"the address cannot be read: {error}", expected="?query=… with percent escapes") from error
    sent: dict[str, Json] = {name: value for name, value in fields.items() if name != "variables"}
    if "variables" in fields:
        sent["variables"] = _from_json(fields["variables"], "variables")
    return sent


def _bad_request(what: str, *, expected: str, code: str = "bad-request", fix: str = "") -> HttpRefusal:
    return HttpRefusal(400, Problem(code, what, expected, fix))


def _key(request: Request, *, is_graphql: bool) -> bytes:
    """The key of an answer within its revision: equal however the request was written down; raises HttpRefusal."""
    parts = [is_graphql, request.query, request.variables, request.operation_name]
    try:
        return b"=" + orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        # It reads four times deeper than it writes.
        what = f"variables cannot be read: {error}"
        raise _bad_request(what, expected="values in fewer than 250 levels", code="limit-exceeded") from error


def _encoded(given: Answer, status: int, label: str) -> Kept:
    return Kept(status, encoded(given.body), label)


async def send_refusal(
    send: Send, refusal: HttpRefusal, head: Head, request_id: str, *, incoming: Incoming, allowed: bytes
) -> None:
    """Send the refusal at once, and end it only when the rest of the body is in.

    A connection that is closed while its client still sends is reset, and most clients then lose the answer.

    Args:
        send: where to.
        refusal: status and problem.
        head: of the request.
        request_id: its id.
        incoming: its body, as far as it has not come in.
        allowed: the methods that its address takes.
    """
    kept = _encoded(refused(refusal.problem), refusal.status, INVALID)
    start = _start(kept, head, request_id)
    if kept.status == 413:
        start["headers"].append((b"connection", b"close"))
    if kept.status == 405:
        start["headers"].append((b"allow", allowed))
    await send(start)
    await send({"type": "http.response.body", "body": kept.body, "more_body": True})
    await incoming.drain()
    await send({"type": "http.response.body", "body": b""})


def _start(kept: Kept, head: Head, request_id: str) -> Message:
    headers = [
        (b"content-type", _GRAPHQL if head.wants_graphql else _JSON),
        (b"content-length", b"%d" % len(kept.body)),
        (b"x-request-id", request_id.encode()),
    ]
    return {"type": "http.response.start", "status": kept.status, "headers": headers}
