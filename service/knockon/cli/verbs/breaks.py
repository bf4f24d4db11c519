"""`knockon breaks`: what does a technique break?"""

import os
from typing import Annotated

import typer

from knockon.cli import complete
from knockon.cli import options as shared
from knockon.cli.plain import Verb

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=Verb)
def breaks(
    technique: Annotated[
        str, typer.Argument(help="A technique by any of its names.", autocompletion=complete.techniques)
    ],
    *,
    depth: Annotated[
        int | None, typer.Option("--depth", help="How many hops to follow, 1 to 8; 3 if not given.")
    ] = None,
    deployment: shared.DeploymentOption = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FACT=VALUE", help="A fact of the deployment; may be repeated."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every technique that is hit.")] = False,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """What does this technique break? Follows its shifts from quantity to quantity, to what they hit."""
    from knockon.cli.answers.breaks import data, page
    from knockon.cli.deployment import Options, from_file, from_options
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs import age
    from knockon.jobs.breaks import DEPTH_DEFAULT
    from knockon.jobs.breaks import breaks as broken
    from knockon.jobs.shipped import shipped_knowledge

    given = Options(sets=tuple(sets or ()))
    asked = from_file(deployment, given) if deployment else from_options(given) if sets else None
    knowledge = shipped_knowledge()
    answer = broken(knowledge, technique, depth=DEPTH_DEFAULT if depth is None else depth, asked=asked)
    ages = age.Ages(knowledge, age.today())
    said = page(answer, ages, language=language_of(language, os.environ), is_verbose=verbose)
    show(Report(data(answer, ages), said), format_name=format_name)
