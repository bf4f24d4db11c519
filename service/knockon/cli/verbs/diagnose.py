"""`knockon diagnose`: which wall do these readings hit?"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knockon.cli import keeping, timing, watching
from knockon.cli import options as shared
from knockon.cli.plain import Verb
from knockon.terms.errors import KnockonError, Problem

if TYPE_CHECKING:
    from knockon.cli.measured import Texts
    from knockon.cli.watching import Watched
    from knockon.jobs.diagnose import DiagnoseAnswer
    from knockon.jobs.knowledge import Knowledge
    from knockon.store.run import KeptRun

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")

_Snapshots = Annotated[
    Path | None,
    typer.Option("--snapshots", metavar="FILE", help="Judge every row of a .parquet or .csv table of readings."),
]


@app.command(cls=Verb)
def diagnose(
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
    series: timing.SeriesOption = False,
    window: timing.WindowOption = None,
    warm_up: timing.WarmUpOption = None,
    gap: timing.GapOption = None,
    profile: shared.ProfileOption = "default",
    sets: shared.SetReadingOption = None,
    told: shared.ToldOption = None,
    deployment: shared.DeploymentOption = None,
    keep: keeping.KeepOption = False,
    target: keeping.TargetOption = None,
    taken_at: keeping.TakenAtOption = None,
    database_url: shared.DatabaseOption = None,
    snapshots: _Snapshots = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show all readings and thresholds.")] = False,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Which wall do these readings hit?

    Ranks what can explain them, with the evidence for and against, and says what to measure next. A reading that is
    missing is never taken for a good one. Exits with 0 whatever the verdict: the question was answered.

    Readings over time (a table with a column of times, `--prometheus`, or scrapes with `--series`) are judged by their
    course: a rule that asks for time is pending until its condition has held long enough, and trends are readings.
    Headers for `--prometheus`, such as one for authorization, are lines of `KNOCKON_PROMETHEUS_HEADERS`.
    """
    if snapshots is not None:
        is_alone = not (files or sets or told or prometheus or deployment or keep)
        _show_snapshots(snapshots, profile, format_name, language, is_alone=is_alone)
        return
    from knockon.cli.measured import Texts

    watched = watching.watched_at(prometheus, match or (), (since, until), last=last, step=step, tenant=tenant)
    kept_as = keeping.target_of(target, taken_at, keeps=keep)
    how = {"profile": profile, "sets": sets or (), "time_asked": timing.Timing(window, warm_up, gap).asked()}
    texts = Texts(files or (), before or (), source, elapsed, run, is_series=series, told=told or "")
    texts.refuse(is_other=bool(sets or told) or watched is not None)
    knowledge, answer = _diagnosed(texts, watched, deployment, how, timeout_s=timeout)
    kept = keeping.keep_answer(answer, knowledge, target=kept_as, taken_at=taken_at, database_url=database_url)
    _show(answer, knowledge, kept, format_name=format_name, language=language, is_verbose=verbose)


def _diagnosed(
    texts: "Texts", watched: "Watched | None", deployment: str | None, how: Mapping[str, Any], *, timeout_s: float
) -> "tuple[Knowledge, DiagnoseAnswer]":
    """The answer to `how` on what the options name, and what it was asked of."""
    from knockon.cli.deployment import Options, from_file
    from knockon.cli.measured import taken_together
    from knockon.jobs.diagnose import diagnose as diagnosed
    from knockon.jobs.profiles import profile_named
    from knockon.jobs.shipped import shipped_knowledge

    asked = from_file(deployment, Options()) if deployment else None
    knowledge, profile = profile_named(shipped_knowledge(), how["profile"])
    taken = taken_together(texts, watched, knowledge.rulebook.vocabulary, timeout_s=timeout_s)
    return knowledge, diagnosed(knowledge, taken, asked=asked, **{**how, "profile": profile})


def _show(
    answer: "DiagnoseAnswer",
    knowledge: "Knowledge",
    kept: "KeptRun | None",
    *,
    format_name: str,
    language: str | None,
    is_verbose: bool,
) -> None:
    from knockon.cli.answers.diagnose import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report

    said = page(answer, knowledge, language=language_of(language, os.environ), is_verbose=is_verbose, kept=kept)
    show(Report(data(answer, knowledge, kept=kept), said), format_name=format_name)


def _show_snapshots(file: Path, profile: str, format_name: str, language: str | None, *, is_alone: bool) -> None:
    if not is_alone:
        raise typer.BadParameter("a table of snapshots is judged alone", param_hint="'--snapshots'")
    from knockon.cli.answers.snapshots import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.profiles import profile_named
    from knockon.jobs.shipped import shipped_knowledge

    try:
        from knockon.jobs.snapshots import diagnose_snapshots
    except ModuleNotFoundError as error:
        if error.name != "polars":
            raise
        what = "the package that judges many snapshots at once is not installed"
        raise KnockonError(Problem("extra-missing", what, "polars", "pip install 'knockon[batch]'")) from error
    knowledge, profile = profile_named(shipped_knowledge(), profile)
    answer = diagnose_snapshots(knowledge, file, profile=profile)
    show(Report(data(answer), page(answer, language=language_of(language, os.environ))), format_name=format_name)
