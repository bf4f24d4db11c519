"""Everything but GraphQL: the query IDE, liveness, readiness, figures."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse, RedirectResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.staticfiles import StaticFiles

from knockon.api.refusals import shown_problem
from knockon.store.store import Store
from knockon.terms.errors import KnockonError, Problem
from knockon.version import version
from knockon.web.figures import Figures, registry_of
from knockon.web.snapshots import Snapshots

IDE = Path(__file__).resolve().parent / "ide"
# The page needs no inline script and no other machine; its dialogs add a style element, its fonts are `data:`.
CONTENT_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; font-src data:; img-src data:"

# What asks whether a service is up often asks for the head alone.
_METHODS = ["GET", "HEAD"]
_PATH_SHOWN = 100


def pages(store: Store, snapshots: Snapshots, figures: Figures, *, poll_s: float) -> FastAPI:
    """The application behind every path but /graphql; while it runs the snapshot is kept fresh."""

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        ended = asyncio.Event()
        keeping = asyncio.create_task(snapshots.keep_fresh(poll_s, ended=ended))
        try:
            yield
        finally:
            ended.set()
            await keeping
            await asyncio.to_thread(store.close)

    # FastAPI's own documentation pages load scripts from other machines.
    app = FastAPI(title="Knock-on", version=version(), lifespan=lifespan, openapi_url=None)
    _health(app, store, snapshots)
    _figures(app, figures)
    _ide(app)
    app.add_exception_handler(404, _nothing_here)
    return app


async def _nothing_here(request: Request, _error: Exception) -> JSONResponse:
    """The answer at every other path, in the form of all other refusals."""
    path = request.url.path[:_PATH_SHOWN]
    expected = "one of /graphql, /ide, /healthz, /readyz, /metrics"
    problem = Problem(
        "unknown-path", f"nothing is at {path!r}", expected, "ask GraphQL at /graphql; /ide is a page for it"
    )
    return JSONResponse({"errors": [shown_problem(problem)]}, status_code=404)


def _health(app: FastAPI, store: Store, snapshots: Snapshots) -> None:
    @app.api_route("/healthz", methods=_METHODS)
    async def healthz() -> dict[str, str]:
        """Whether the process answers at all."""
        return {"status": "alive", "version": version()}

    @app.api_route("/readyz", methods=_METHODS)
    async def readyz() -> JSONResponse:
        """Whether it may be sent requests: a revision is loaded, the database answers and has the right tables."""
        problem = await asyncio.to_thread(why_not_ready, store, snapshots)
        snapshot = snapshots.current
        revision = {"number": snapshot.revision.number, "digest": snapshot.revision.digest} if snapshot else None
        if problem is None:
            return JSONResponse({"status": "ready", "revision": revision})
        said = {"code": problem.code, "what": problem.what, "expected": problem.expected, "fix": problem.fix}
        return JSONResponse({"status": "not ready", "revision": revision, "why": said}, status_code=503)


def why_not_ready(store: Store, snapshots: Snapshots) -> Problem | None:
    """What keeps the service from being ready; None when nothing does. Asks the database."""
    try:
        # Refused unless the database answers and has the tables of this program.
        store.latest()
    except KnockonError as error:
        return error.problem
    if snapshots.current is None:
        return snapshots.trouble.problem if snapshots.trouble else Problem("not-ready", "no revision is loaded yet")
    return None


def _figures(app: FastAPI, figures: Figures) -> None:
    registry = registry_of(figures)

    @app.api_route("/metrics", methods=_METHODS)
    async def metrics() -> Response:
        """The figures in Prometheus' text format."""
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def _ide(app: FastAPI) -> None:
    @app.api_route("/", methods=_METHODS)
    async def home() -> RedirectResponse:
        """The page to start from."""
        return RedirectResponse("ide")

    @app.api_route("/ide", methods=_METHODS)
    async def ide() -> FileResponse:
        """The query IDE."""
        return FileResponse(IDE / "index.html")

    app.mount("/ide/", StaticFiles(directory=IDE))
