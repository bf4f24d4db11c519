"""`knockon compare`: what changed between two runs, and what moved?"""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, cast

import typer

from knockon.cli import options as shared
from knockon.cli.plain import Verb

if TYPE_CHECKING:
    from knockon.jobs.compare import Context, Run
    from knockon.jobs.knowledge import Knowledge

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")

_CONTEXTS = ("load", "model", "hardware", "config")
_UNEQUAL = 1
_KEPT = "kept:"


def _known(names: list[str] | None) -> list[str] | None:
    """What may differ; raises BadParameter for anything else."""
    for name in names or ():
        if name not in _CONTEXTS:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(_CONTEXTS)}")
    return names


def _run(
    named: str, deployment: str | None, knowledge: "Knowledge", *, source: str | None, run: str | None, at: str | None
) -> "Run":
    """What `named` holds, a file or a kept run of the database `at`; a deployment that is given wins over its own."""
    from knockon.cli.deployment import Options, from_file
    from knockon.cli.keeping import history_at
    from knockon.cli.measured import taken_of, texts_of
    from knockon.jobs.compare import Run
    from knockon.jobs.history import measured_in
    from knockon.sources.together import together

    asked = from_file(deployment, Options()) if deployment else None
    if named.startswith(_KEPT):
        with history_at(at) as history:
            kept, stated = measured_in(history.run(named.removeprefix(_KEPT)))
        return Run(kept, (), asked or stated)
    taken = taken_of(texts_of((named,), ()), knowledge.rulebook.vocabulary, source=source, elapsed_s=None)
    return Run(together(taken, run=run), (), asked)


@app.command(cls=Verb)
def compare(
    *,
    before: Annotated[
        str,
        typer.Argument(
            metavar="BEFORE",
            help="Metrics, readings or a benchmark's result; kept:ID, kept:TARGET or kept:TARGET@TIME for a kept run.",
        ),
    ],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The same of the other run.")],
    deployment_before: Annotated[
        str | None,
        typer.Option("--deployment-before", metavar="FILE", help="The deployment BEFORE was measured on."),
    ] = None,
    deployment_after: Annotated[
        str | None,
        typer.Option("--deployment-after", metavar="FILE", help="The deployment AFTER was measured on."),
    ] = None,
    source: shared.SourceOption = None,
    run: shared.RunOption = None,
    database_url: shared.DatabaseOption = None,
    profile: shared.ProfileOption = "default",
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="READING=VALUE", help="A reading of both runs, such as their load."),
    ] = None,
    allow_different: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-different",
            metavar="load|model|hardware|config",
            callback=_known,
            help="Compare although this differs or is not known; may be repeated.",
        ),
    ] = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """What changed between two runs, and what moved?

    Refuses, with the reason and exit code 1, where load, model, hardware or configuration are not known or differ: the
    numbers would then say nothing about the settings.
    """
    from knockon.cli.answers.compare import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.compare import compare as compared
    from knockon.jobs.profiles import profile_named
    from knockon.jobs.shipped import shipped_knowledge

    knowledge = shipped_knowledge()
    both = ((before, deployment_before), (after, deployment_after))
    runs = [_run(*named, knowledge, source=source, run=run, at=database_url) for named in both]
    runs = [replace(one, sets=tuple(sets or ())) for one in runs]
    knowledge, profile = profile_named(knowledge, profile)
    answer = compared(knowledge, *runs, profile=profile, allow_different=cast("list[Context]", allow_different or []))
    said = page(answer, knowledge, language=language_of(language, os.environ))
    show(Report(data(answer, knowledge), said), format_name=format_name)
    if answer.obstacles:
        raise typer.Exit(_UNEQUAL)
