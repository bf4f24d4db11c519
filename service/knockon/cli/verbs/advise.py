"""`knockon advise`: which techniques move the wall away, and at what price?"""

import os
from typing import Annotated

import typer

from knockon.cli import options as shared
from knockon.cli.plain import COMMAND, WithCommand

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=WithCommand)
def advise(
    context: typer.Context,
    *,
    files: shared.ReadingsArgument = None,
    source: shared.SourceOption = None,
    run: shared.RunOption = None,
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
    from knockon.cli.answers.advise import data, page
    from knockon.cli.deployment import Options, from_command, from_file, from_options
    from knockon.cli.measured import taken_of, texts_of
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.advise import advise as advised
    from knockon.jobs.shipped import shipped_knowledge
    from knockon.sources.together import together

    if not files and not sets:
        raise typer.BadParameter("give a file of metrics or readings, or readings with --set")
    options = Options(engine, engine_version, model, gpu, gpus, tuple(facts or ()))
    command: list[str] | None = context.meta.get(COMMAND)
    if command is not None and deployment is not None:
        raise typer.BadParameter("describe the deployment once: by --deployment, or by a command after --")
    asked = from_options(options) if options != Options() else None
    if command is not None:
        asked = from_command(command, options)
    elif deployment is not None:
        asked = from_file(deployment, options)
    knowledge = shipped_knowledge()
    texts = texts_of(files or (), ())
    taken = together(taken_of(texts, knowledge.rulebook.vocabulary, source=source, elapsed_s=None), run=run)
    answer = advised(knowledge, taken, profile=profile, sets=sets or (), asked=asked)
    said = page(answer, knowledge, language=language_of(language, os.environ), is_verbose=verbose)
    show(Report(data(answer, knowledge), said), format_name=format_name)
