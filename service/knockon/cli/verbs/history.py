"""`knockon history`: the runs of a target that were kept."""

import os
from typing import Annotated

import typer

from knockon.cli import keeping
from knockon.cli import options as shared
from knockon.cli.plain import Verb

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=Verb)
def history(
    target: Annotated[
        str | None, typer.Argument(help="What was measured; every target is listed if not given.", show_default=False)
    ] = None,
    *,
    since: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="Only runs measured then or later.")
    ] = None,
    until: Annotated[str | None, typer.Option("--to", metavar="TIME", help="Only runs measured before then.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many at most, the newest.")] = 20,
    database_url: shared.DatabaseOption = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Which walls did a target hit, and when?

    Shows the runs that `knockon diagnose --keep` and the mutation `submitReadings` kept, newest first, each with the
    verdict it got then, by the rules of then.
    """
    from knockon.cli.answers.history import runs_data, runs_page, targets_data, targets_page
    from knockon.cli.answers.words import Speaker
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.shipped import shipped_knowledge

    begin, end = keeping.moment_of(since, "--from"), keeping.moment_of(until, "--to")
    if target is None and (begin or end):
        raise typer.BadParameter("targets are listed whatever their time", param_hint="'--from' / '--to'")
    speaker = Speaker(language_of(language, os.environ), shipped_knowledge().catalog)
    with keeping.history_at(database_url) as held:
        if target is None:
            targets = held.targets(limit=limit)
            report = Report(targets_data(targets), targets_page(targets, speaker))
        else:
            runs = held.runs(target, limit=limit, since=begin, until=end)
            report = Report(runs_data(target, runs), runs_page(target, runs, speaker))
    show(report, format_name=format_name)
