"""`knockon profile`: look at the thresholds that readings are judged by, and make them one's own."""

import os
import re
from typing import Annotated

import typer

from knockon.cli import complete, timing, watching
from knockon.cli import options as shared
from knockon.cli.measured import Texts
from knockon.cli.plain import Group, Verb

app = typer.Typer(
    cls=Group,
    add_completion=False,
    rich_markup_mode="markdown",
    no_args_is_help=True,
    help="Look at the thresholds that readings are judged by, and calibrate them.",
)


@app.command("list", cls=Verb)
def list_profiles(*, format_name: shared.FormatOption = "table", language: shared.LanguageOption = None) -> None:
    """List every profile and what it is for."""
    from knockon.cli.answers.profile import listed_data, listed_page
    from knockon.cli.answers.words import Speaker
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.shipped import shipped_knowledge

    knowledge = shipped_knowledge()
    profiles = [profile for _, profile in sorted(knowledge.rulebook.profiles.items())]
    speaker = Speaker(language_of(language, os.environ), knowledge.catalog)
    show(Report(listed_data(profiles, knowledge), listed_page(profiles, speaker)), format_name=format_name)


@app.command("show", cls=Verb)
def show_profile(
    profile: Annotated[
        str, typer.Argument(help="Its name, or its file: default.", autocompletion=complete.profiles)
    ] = "default",
    *,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Show every threshold in force under a profile, with where its value comes from."""
    from knockon.cli.answers.profile import shown_data, shown_page
    from knockon.cli.answers.words import Speaker
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.profiles import profile_named
    from knockon.jobs.shipped import shipped_knowledge
    from knockon.rules.thresholds import in_force

    knowledge, profile = profile_named(shipped_knowledge(), profile)
    thresholds = in_force(knowledge.rulebook.profiles, profile)
    found = knowledge.rulebook.profiles[profile]
    speaker = Speaker(language_of(language, os.environ), knowledge.catalog)
    page = shown_page(found, thresholds, speaker)
    show(Report(shown_data(found, thresholds, knowledge), page), format_name=format_name)


_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _share(value: float) -> float:
    if not 0.5 < value < 1:
        raise typer.BadParameter(f"{value:g} is not over 0.5 and under 1")
    return value


def _slug(value: str) -> str:
    if not _SLUG.fullmatch(value):
        raise typer.BadParameter(f"{value!r} is not made of lower-case words joined by hyphens")
    return value


def _part(option: str, what: str) -> object:
    return typer.Option(option, help=f"{what} the profile is for; any if not given.")


@app.command("calibrate", cls=Verb)
def calibrate_profile(
    *,
    files: shared.ReadingsArgument = None,
    name: Annotated[str, typer.Option("--name", callback=_slug, help="What the profile is called.")] = "calibrated",
    base: Annotated[
        str, typer.Option("--base", help="The profile it lies over.", autocompletion=complete.profiles)
    ] = "default",
    hardware: Annotated[str, _part("--hardware", "Hardware")] = "any",
    engine: Annotated[str, _part("--engine", "Engine")] = "any",
    model: Annotated[str, _part("--model", "Model")] = "any",
    load: Annotated[str, _part("--load", "Load, in words,")] = "any",
    load_when: Annotated[
        str | None, typer.Option("--load-when", metavar="CONDITION", help="When a load is that one, as a condition.")
    ] = None,
    quantile: Annotated[
        float, typer.Option("--quantile", callback=_share, help="Share of a healthy time on this side of a level.")
    ] = 0.99,
    thresholds: Annotated[
        list[str] | None, typer.Option("--threshold", help="Calibrate this one only; may be repeated.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the profile here.")
    ] = None,
    source: shared.SourceOption = None,
    series: timing.SeriesOption = False,
    elapsed: timing.ElapsedOption = None,
    prometheus: watching.UrlOption = None,
    match: watching.MatchOption = None,
    since: watching.FromOption = None,
    until: watching.ToOption = None,
    last: watching.LastOption = None,
    step: watching.StepOption = None,
    tenant: watching.TenantOption = None,
    timeout: watching.TimeoutOption = 30.0,
    warm_up: timing.WarmUpOption = None,
    gap: timing.GapOption = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Calibrate thresholds on a healthy history, or on a load sweep.

    Of readings over time each level becomes what its reading hardly ever passes; of runs at several loads what it comes
    to at the knee of throughput. Too few values and a sweep without a knee are refused. A back-test says how often each
    rule would have fired over the same measurements with the old levels and with the new ones.
    """
    from knockon.cli.calibrating import calibrated, wanted_of

    watched = watching.watched_at(prometheus, match or (), (since, until), last=last, step=step, tenant=tenant)
    wanted = wanted_of((name, base), (hardware, engine, model, load, load_when), quantile, thresholds or ())
    calibrated(
        wanted,
        Texts(files or (), (), source, elapsed, is_series=series),
        watched,
        timing.Timing(None, warm_up, gap),
        timeout_s=timeout,
        output=output,
        format_name=format_name,
        language=language,
    )
