"""`knockon serve`: the service."""

import gc
from typing import Annotated, Any

import typer

from knockon.cli import options as shared
from knockon.cli.plain import Verb
from knockon.terms.errors import IntakeError, Problem

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
    from knockon.settings import Settings
    from knockon.web.serve import run

    gc.set_threshold(_YOUNG_MAX, *gc.get_threshold()[1:])
    given: dict[str, Any] = {"host": host, "port": port, "database_url": database_url}
    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise _refused(error) from error
    run(settings, show_first_answer=show_first_answer)


def _refused(error: ValueError) -> IntakeError:
    """Which setting cannot be used, by the name that the environment has for it."""
    # The validation library is the settings' own business; what it found comes with its error.
    found: list[dict[str, Any]] = getattr(error, "errors", list)()
    said = "; ".join(f"KNOCKON_{str(one['loc'][0]).upper()}: {one['msg']}" for one in found if one.get("loc"))
    fix = "correct the option, or the variable of the environment"
    return IntakeError(Problem("bad-setting", f"a setting cannot be used: {said or error}", fix=fix))
