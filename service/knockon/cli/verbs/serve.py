"""`knockon serve`: the service."""

from typing import Annotated, Any

import typer

from knockon.cli import options as shared
from knockon.cli.plain import Verb
from knockon.terms.errors import IntakeError, Problem

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
    from knockon.settings import Settings
    from knockon.web.serve import run

    given: dict[str, Any] = {"host": host, "port": port, "database_url": database_url}
    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        what = f"a setting cannot be used: {error}"
        fix = "correct the option, or the environment variable KNOCKON_… of that name"
        raise IntakeError(Problem("bad-setting", what, fix=fix)) from error
    run(settings, show_first_answer=show_first_answer)
