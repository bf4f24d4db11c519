"""The servers that bench/service.py measures, each run as a process of its own: `servers.py KIND ARGUMENT PORT`."""

import json
import sys
from pathlib import Path

import uvicorn

from knockon.jobs.start import start
from knockon.settings import Settings
from knockon.store.store import open_store
from knockon.web.app import create_app
from knockon.web.serve import settle


def bare(answers: dict[str, str]):
    """Read the body and send the bytes that belong to it: the least that any ASGI application does."""
    known = {body.encode(): messages(answer.encode()) for body, answer in answers.items()}
    ready = messages(b"")

    async def app(scope, receive, send):
        if scope["type"] != "http":
            return
        body = (await receive())["body"]
        for message in known.get(body, ready):
            await send(message)

    return app


def messages(body: bytes) -> list[dict[str, object]]:
    """An answer as ASGI sends it."""
    headers = [(b"content-type", b"application/json; charset=utf-8"), (b"content-length", b"%d" % len(body))]
    return [
        {"type": "http.response.start", "status": 200, "headers": headers},
        {"type": "http.response.body", "body": body},
    ]


def main(kind: str, argument: str, port: int) -> None:
    """Be one of the servers; `load` only makes the database."""
    if kind == "load":
        start(open_store(argument))
        return
    match kind:
        case "bare":
            app = bare(json.loads(Path(argument).read_text()))
        case "keeping":
            app = create_app(Settings(database_url=argument), when_swapped=settle)
        case _:
            app = create_app(Settings(database_url=argument, answer_cache_bytes=0), when_swapped=settle)
    uvicorn.run(app, host="127.0.0.1", port=port, ws="none", log_config=None, access_log=False, server_header=False)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
