"""The application: /graphql first, everything else behind it."""

import logging
from collections.abc import Callable

import orjson
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from knockon.api.refusals import internal
from knockon.jobs import age
from knockon.jobs.history import History
from knockon.settings import Settings
from knockon.store.store import Store, open_store
from knockon.terms.errors import Problem
from knockon.terms.limits import GRAPHQL_BODY_BYTES_MAX
from knockon.web.answers import Answers
from knockon.web.endpoint import Endpoint, HttpRefusal, send_refusal
from knockon.web.figures import Figures
from knockon.web.heads import Head, RequestIds, read_head
from knockon.web.incoming import Incoming
from knockon.web.pages import CONTENT_POLICY, pages
from knockon.web.snapshots import Snapshots

log = logging.getLogger(__name__)

_PAGE_HEADERS = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
)


def create_app(
    settings: Settings,
    *,
    store: Store | None = None,
    today: Callable[[], str] = age.today,
    when_swapped: Callable[[], None] = lambda: None,
) -> ASGIApp:
    """The service as an ASGI application.

    It neither migrates nor loads: on a database that is not ready it runs, answers 503, and says why at /readyz.

    Args:
        settings: See there; the address to listen on is the server's business.
        store: An open store; by default the one of the settings is opened. The application closes it when it stops.
        today: Gives the ISO day, on which claims are found stale or fresh.
        when_swapped: Is called each time that another revision is served; `settle` where the process is the service's.

    Raises:
        StoreError: the database URL cannot be read.
    """
    held = store or open_store(settings.database_url, is_read_only=settings.read_only)
    snapshots = Snapshots(held, when_swapped=when_swapped)
    answers = Answers(settings.answer_cache_bytes)
    figures = Figures(snapshots, answers)
    history = History(held, days=settings.history_days, is_read_only=settings.read_only)
    endpoint = Endpoint(snapshots, history, answers, figures, today=today)
    app: ASGIApp = Front(endpoint, pages(held, snapshots, figures, poll_s=settings.poll_s))
    if settings.cors_origins:
        app = CORSMiddleware(
            app, allow_origins=settings.cors_origins, allow_methods=("GET", "POST"), allow_headers=("content-type",)
        )
    return app


class Front:
    """The outermost layer: gives every request its id, asks GraphQL itself, leaves the rest to the pages."""

    def __init__(self, endpoint: Endpoint, rest: ASGIApp) -> None:
        """Put `endpoint` at /graphql before `rest`."""
        self._endpoint = endpoint
        self._rest = rest
        self._ids = RequestIds()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._rest(scope, receive, send)
            return
        request_id = self._ids.of(scope)
        if scope["path"] == "/graphql":
            try:
                await self._endpoint(scope, receive, send, request_id)
            except Exception:
                # The outermost edge: what went wrong is for the log, the client gets the id to ask about it.
                log.exception("request failed", extra={"request_id": request_id})
                await _fail(send, request_id)
            return

        head, incoming = read_head(scope), Incoming(receive)
        refusal = _refusal(scope["method"], head)
        if refusal is not None:
            await send_refusal(send, refusal, head, request_id, incoming=incoming, allowed=b"GET, HEAD")
            return

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = (*_PAGE_HEADERS, (b"x-request-id", request_id.encode()))
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        await self._rest(scope, receive, send_with_id)


def _refusal(method: str, head: Head) -> HttpRefusal | None:
    """Why a page is not given out; None where nothing is wrong. No page takes a body."""
    if method not in ("GET", "HEAD"):
        return HttpRefusal(405, Problem("method-not-allowed", f"{method[:20]} is not understood here", "GET or HEAD"))
    if head.content_length > GRAPHQL_BODY_BYTES_MAX:
        what = f"the body is over the limit of {GRAPHQL_BODY_BYTES_MAX:,} bytes, found {head.content_length:,}"
        return HttpRefusal(413, Problem("limit-exceeded", what, fix="send no body: this address takes none"))
    return None


async def _fail(send: Send, request_id: str) -> None:
    body = orjson.dumps({"errors": [internal(request_id)]})
    headers = [(b"content-type", b"application/json; charset=utf-8"), (b"x-request-id", request_id.encode())]
    await send({"type": "http.response.start", "status": 500, "headers": headers})
    await send({"type": "http.response.body", "body": body})
