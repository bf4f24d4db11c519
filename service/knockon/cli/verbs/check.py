"""`knockon check`: does this deployment contradict itself?"""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from knockon.cli import options as shared
from knockon.cli.plain import COMMAND, WithCommand

if TYPE_CHECKING:
    from knockon.cli.checking import Run
    from knockon.cli.deployment import Options
    from knockon.jobs.described import Described

FailOn = Literal["conflict", "degraded", "never"]


app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=WithCommand)
def check(
    context: typer.Context,
    *,
    files: shared.CheckFilesArgument = None,
    engine: shared.EngineOption = None,
    engine_version: shared.EngineVersionOption = None,
    model: shared.ModelOption = None,
    gpu: shared.GpuOption = None,
    gpus: shared.GpusOption = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FACT=VALUE", help="A fact that wins over everything else; may be repeated."),
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="The mildest verdict that ends with exit code 1.")
    ] = "conflict",
    skip_other_files: shared.SkipOtherFilesOption = False,
    allow_unknown: shared.AllowUnknownOption = False,
    other_releases: shared.OtherReleasesOption = None,
    baseline: shared.BaselineOption = None,
    write_baseline: shared.WriteBaselineOption = None,
    waivers: shared.WaiversOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every fact and where it came from.")] = False,
    format_name: shared.CheckFormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Does this deployment contradict itself?

    Reads the command that starts an engine (after --), or files, and says which settings work against each other, why,
    and what to do about it. Nothing is run.

    Exits with 1 when a finding is as bad as --fail-on says, which is `conflict` unless given: a deployment that starts
    and only loses something passes, unless you ask for `degraded`.

    Exits with 2 when a flag or a model is not known here, whatever else was found: all the rest is answered, and what
    was mistyped is not taken for fine. --allow-unknown lets it pass.
    """
    from dataclasses import replace

    from knockon.cli.deployment import Options

    given = Options(engine, engine_version, model, gpu, gpus, tuple(sets or ()))
    options = replace(given, allows_unknown=allow_unknown)
    command: list[str] | None = context.meta.get(COMMAND)
    if not files and command is None and given == Options():
        raise typer.BadParameter("give a command after --, a file, or facts with --set, --model and --engine")
    is_list = skip_other_files or len(files or ()) > 1
    run = _run(
        files or (), format_name, language, is_list=is_list, is_verbose=verbose, baseline=baseline, waivers=waivers
    )
    run.wanted = replace(run.wanted, compares_releases=other_releases)
    run.over(_described(files or (), command, options, skips_others=skip_other_files))
    _end(run, fail_on, write_baseline)


def _end(run: "Run", fail_on: FailOn, write_baseline: str | None) -> None:
    """Write the baseline where one is asked for, then end with the exit code of the run."""
    if write_baseline is not None:
        from knockon.cli.reading import write_text
        from knockon.jobs.baseline import baseline_text

        write_text(write_baseline, baseline_text(run.baseline))
    if run.tally["unusable"]:
        raise typer.Exit(2)
    bad = {"conflict": ("conflict",), "degraded": ("conflict", "degraded"), "never": ()}[fail_on]
    if write_baseline is None and any(run.tally[verdict] for verdict in bad):
        raise typer.Exit(1)


def _run(
    files: Sequence[str],
    format_name: str,
    language: str | None,
    *,
    is_list: bool,
    is_verbose: bool,
    baseline: str | None,
    waivers: str | None,
) -> "Run":
    """The run before its first launch: knowledge, baseline and waivers are there."""
    from datetime import date

    from knockon.cli.checking import Run, Wanted
    from knockon.cli.paths import is_folder
    from knockon.cli.reading import read_text
    from knockon.cli.show import language_of
    from knockon.cli.waiving import Waiving
    from knockon.jobs.baseline import read_baseline
    from knockon.jobs.shipped import shipped_knowledge

    roots = [path for path in files if path != "-" and is_folder(path)]
    said_in = language_of(language, os.environ)
    wanted = Wanted(format_name, said_in, is_verbose=is_verbose, is_list=is_list or bool(roots))
    # The last day of a waiver is one of the place where the run is.
    today = date.today()  # noqa: DTZ011
    known = read_baseline(read_text(baseline), path=baseline) if baseline is not None else frozenset[str]()
    return Run(shipped_knowledge(), wanted, Waiving(today, waivers, roots), known)


def _described(
    files: Sequence[str], command: Sequence[str] | None, options: "Options", *, skips_others: bool
) -> "Iterator[Described]":
    """Everything that is to be checked, read when it is its turn."""
    from knockon.cli.command_line import described_by
    from knockon.cli.deployment import from_options
    from knockon.jobs.described import Described

    if files:
        yield from _in_files(files, options, skips_others=skips_others)
    if command is not None:
        yield from described_by(command, options)
    elif not files:
        yield Described("", "facts", "", from_options(options))


def _in_files(files: Sequence[str], options: "Options", *, skips_others: bool) -> "Iterator[Described]":
    from dataclasses import replace

    from knockon.cli.files import described_by, nothing_in, set_of, sources_of
    from knockon.cli.progress import tracked

    sources = sources_of(files, skips_others=skips_others)
    has_any = False
    for source, found in tracked(described_by(sources, options), count=len(sources)):
        has_any = has_any or bool(found)
        yield from (replace(one, together=set_of(source)) for one in found)
    if not has_any and not skips_others:
        raise nothing_in(files)
