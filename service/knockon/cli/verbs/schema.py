"""`knockon schema`: the GraphQL schema, as it is committed."""

from pathlib import Path

import typer

import knockon
from knockon.cli.plain import Verb
from knockon.terms.errors import KnockonError, Problem

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=Verb)
def schema() -> None:
    """Print the GraphQL schema (SDL) that the service answers to."""
    file = Path(knockon.__file__).parent / "api" / "schema.graphql"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        what = f"the schema is missing from this installation: {file}"
        raise KnockonError(Problem("assets-missing", what, fix="install the package again")) from error
    print(text, end="")
