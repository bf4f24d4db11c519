"""`knockon advise`: which techniques move the wall away, and at what price?"""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from knockon.cli import options as shared
from knockon.cli import watching
from knockon.cli.plain import COMMAND, WithCommand

if TYPE_CHECKING:
    from knockon.cli.deployment import Options
    from knockon.jobs.advise import AdviseAnswer
    from knockon.jobs.deployment import Asked
    from knockon.jobs.knowledge import Knowledge

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=WithCommand)
def advise(
    context: typer.Context,
    *,
    files: shared.ReadingsArgument = None,
    source: shared.SourceOption = None,
    run: shared.RunOption = None,
    before: shared.BeforeOption = None,
    elapsed: shared.ElapsedOption = None,
    prometheus: watching.UrlOption = None,
    match: watching.MatchOption = None,
    since: watching.FromOption = None,
    until: watching.ToOption = None,
    last: watching.LastOption = None,
    step: watching.StepOption = None,
    tenant: watching.TenantOption = None,
    timeout: watching.TimeoutOption = 30.0,
    profile: shared.ProfileOption = "default",
    sets: shared.SetReadingOption = None,
    deployment: shared.DeploymentOption = None,
    engine: shared.EngineOption = None,
    engine_version: shared.EngineVersionOption = None,
    model: shared.ModelOption = None,
    gpu: shared.GpuOption = None,
    gpus: shared.GpusOption = None,
    facts: Annotated[
        list[str] | None,
        typer.Option("--fact", metavar="FACT=VALUE", help="A fact of the deployment that wins over everything else."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the ledger and the sources of each technique.")
    ] = False,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Which techniques move the wall away, and at what price?

    Diagnoses the readings, then looks for techniques of the catalog that gain where the wall stands, tries each in the
    deployment (the command after --, or --deployment) and checks it again. Parameters come before applications and
    services, and single operators only where the operator gate is open. Where the wall cannot be told, it says what to
    measure first.
    """
    from knockon.cli.deployment import Options
    from knockon.cli.measured import Texts, taken_together
    from knockon.jobs.advise import advise as advised
    from knockon.jobs.profiles import profile_named
    from knockon.jobs.shipped import shipped_knowledge

    watched = watching.watched_at(prometheus, match or (), (since, until), last=last, step=step, tenant=tenant)
    texts = Texts(files or (), before or (), source, elapsed, run)
    texts.refuse(is_other=bool(sets) or watched is not None)
    options = Options(engine, engine_version, model, gpu, gpus, tuple(facts or ()))
    asked = _described(context.meta.get(COMMAND), deployment, options)
    knowledge = shipped_knowledge()
    taken = taken_together(texts, watched, knowledge.rulebook.vocabulary, timeout_s=timeout)
    knowledge, profile = profile_named(knowledge, profile)
    answer = advised(knowledge, taken, profile=profile, sets=sets or (), asked=asked)
    _show(answer, knowledge, format_name=format_name, language=language, is_verbose=verbose)


def _described(command: list[str] | None, file: str | None, options: "Options") -> "Asked | None":
    """The deployment, by a command, a file or options alone; None where nothing describes it."""
    from knockon.cli.command_line import asked_by
    from knockon.cli.deployment import Options, from_file, from_options

    if command is not None and file is not None:
        raise typer.BadParameter("describe the deployment once: by --deployment, or by a command after --")
    if command is not None:
        return asked_by(command, options)
    if file is not None:
        return from_file(file, options)
    return from_options(options) if options != Options() else None


def _show(
    answer: "AdviseAnswer", knowledge: "Knowledge", *, format_name: str, language: str | None, is_verbose: bool
) -> None:
    from knockon.cli.answers.advise import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report

    said = page(answer, knowledge, language=language_of(language, os.environ), is_verbose=is_verbose)
    show(Report(data(answer, knowledge), said), format_name=format_name)
