"""`knockon serve`: the service."""

import gc
from typing import Annotated

import typer

from knockon.cli import options as shared
from knockon.cli.plain import Verb

# Python's own: a service has more to lose by one long look for garbage than by many short ones.
_YOUNG_MAX = 700

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=Verb)
def serve(
    *,
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on; 127.0.0.1 if not given.")] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="8000 if not given.")] = None,
    database_url: shared.DatabaseOption = None,
    show_first_answer: Annotated[
        bool, typer.Option("--show-first-answer", help="When up, ask it a first question and show the answer.")
    ] = False,
) -> None:
    """Serve GraphQL, health, metrics and the query page; migrates and loads the shipped catalog on the first start."""
    from knockon.cli.output import mention
    from knockon.cli.settled import settings_with
    from knockon.web.serve import run

    gc.set_threshold(_YOUNG_MAX, *gc.get_threshold()[1:])
    settings = settings_with(host=host, port=port, database_url=database_url)
    run(settings, show_first_answer=show_first_answer, say=mention)
