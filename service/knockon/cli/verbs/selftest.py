"""`knockon selftest`: does this installation do what its cases say?"""

import os

import typer

from knockon.cli import options as shared
from knockon.cli.plain import Verb

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=Verb)
def selftest(*, format_name: shared.FormatOption = "table", language: shared.LanguageOption = None) -> None:
    """Does this installation do what it should?

    Runs the cases of every engine, kind of manifest, source, format and back-end, and the examples of every rule.
    Needs no network and no files but its own. Exits with 1 when one fails.
    """
    from knockon.cli.answers.selftest import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.selftest.run import selftest as run
    from knockon.jobs.shipped import shipped_knowledge
    from knockon.version import version

    outcomes = list(run(shipped_knowledge()))
    said_in = language_of(language, os.environ)
    show(
        Report(data(outcomes, version()), page(outcomes, version(), language=said_in)),
        format_name=format_name,
    )
    if any(one.problem for one in outcomes):
        raise typer.Exit(1)
