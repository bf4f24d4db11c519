"""`knockon check`: does this deployment contradict itself?"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from knockon.cli import options as shared
from knockon.cli.plain import Verb
from knockon.terms.words import Json

if TYPE_CHECKING:
    from knockon.jobs.deployment import Asked

FailOn = Literal["conflict", "degraded", "never"]
_COMMAND = "knockon.command"


class WithCommand(Verb):
    """A verb after whose `--` stands a whole command, kept apart from the verb's own files and options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the command away before the options are read."""
        if "--" in args:
            at = args.index("--")
            args, ctx.meta[_COMMAND] = args[:at], args[at + 1 :]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage line with the command at its end."""
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND...]"]


app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=WithCommand)
def check(
    context: typer.Context,
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help="A launch script, a model's config.json, or a YAML or JSON file of facts; - is standard input.",
            show_default=False,
        ),
    ] = None,
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
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every fact and where it came from.")] = False,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Does this deployment contradict itself?

    Reads the command that starts an engine (after --), or files, and says which settings work against each other, why,
    and what to do about it. Nothing is run.

    Exits with 1 when a finding is as bad as --fail-on says, which is `conflict` unless given: a deployment that starts
    and only loses something passes, unless you ask for `degraded`.
    """
    from knockon.cli.deployment import Options, from_command, from_file, from_options

    given = Options(engine, engine_version, model, gpu, gpus, tuple(sets or ()))
    command: list[str] | None = context.meta.get(_COMMAND)
    named = [(path, from_file(path, given)) for path in files or ()]
    if command is not None:
        named.append((" ".join(command), from_command(command, given)))
    if not named:
        if given == Options():
            raise typer.BadParameter("give a command after --, a file, or facts with --set, --model and --engine")
        named.append(("", from_options(given)))
    verdicts = _answered(named, format_name=format_name, language=language, is_verbose=verbose)
    bad = {"conflict": ("conflict",), "degraded": ("conflict", "degraded"), "never": ()}[fail_on]
    if any(verdict in bad for verdict in verdicts):
        raise typer.Exit(1)


def _answered(
    named: Sequence[tuple[str, "Asked"]], *, format_name: str, language: str | None, is_verbose: bool
) -> list[str]:
    """Check each deployment, show the answers, and give their verdicts."""
    from knockon.cli.answers.check import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Page, Report, Section
    from knockon.jobs.check import check as checked
    from knockon.jobs.shipped import shipped_knowledge

    knowledge = shipped_knowledge()
    answers = [(label, checked(knowledge, asked)) for label, asked in named]
    said_in = language_of(language, os.environ)
    pages = [page(answer, knowledge, language=said_in, is_verbose=is_verbose) for _, answer in answers]
    if len(answers) == 1:
        show(Report(data(answers[0][1], knowledge), pages[0]), format_name=format_name)
    else:
        whole = Page([Section(label, one.blocks) for (label, _), one in zip(answers, pages, strict=True)])
        each: list[Json] = [{"file": label, **data(answer, knowledge)} for label, answer in answers]
        show(Report({"answers": each}, whole), format_name=format_name)
    return [answer.verdict.value for _, answer in answers]
