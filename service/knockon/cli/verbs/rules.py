"""`knockon rules`: look at the rules, check their files, run their examples."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from knockon.cli import complete
from knockon.cli import options as shared
from knockon.cli.plain import Group, Verb

app = typer.Typer(
    cls=Group,
    add_completion=False,
    rich_markup_mode="markdown",
    no_args_is_help=True,
    help="Look at the rules, check their files, run their examples.",
)


@app.command("list", cls=Verb)
def list_rules(
    *,
    kind: Annotated[
        Literal["couple", "diagnose"] | None, typer.Option("--kind", help="Only rules on facts, or on readings.")
    ] = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """List every rule: its id, its verdict or wall, and what it is about."""
    from knockon.cli.answers.rules import listed_data, listed_page
    from knockon.cli.answers.words import Speaker
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.shipped import shipped_knowledge
    from knockon.rules.rule import CoupleRule, DiagnoseRule

    knowledge = shipped_knowledge()
    rulebook = knowledge.rulebook
    chosen: list[CoupleRule | DiagnoseRule] = []
    chosen += rulebook.couple if kind != "diagnose" else ()
    chosen += rulebook.diagnose if kind != "couple" else ()
    speaker = Speaker(language_of(language, os.environ), knowledge.catalog)
    show(Report(listed_data(chosen, knowledge), listed_page(chosen, speaker)), format_name=format_name)


@app.command("show", cls=Verb)
def show_rule(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Its id: K001.", autocompletion=complete.rules)],
    *,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Show one rule: its condition, what it derives and says, its examples and sources."""
    from knockon.cli.answers.rules import shown_data, shown_page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs import age
    from knockon.jobs.shipped import shipped_knowledge

    knowledge = shipped_knowledge()
    ages = age.Ages(knowledge, age.today())
    found = knowledge.rulebook.rule(rule)
    page = shown_page(found, ages, language=language_of(language, os.environ))
    show(Report(shown_data(found, ages), page), format_name=format_name)


@app.command("lint", cls=Verb)
def lint_rules(
    *,
    catalog: shared.CatalogOption = None,
    rules: shared.RulesOption = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Check the files of the rules: shape, names, units, references, sources, examples."""
    from knockon.cli.answers.lint import data, near, page
    from knockon.cli.show import language_of, show
    from knockon.cli.trees import trees
    from knockon.formats.base import Report
    from knockon.jobs.lint import lint

    folders = trees(catalog, rules)
    problems = near(lint(*folders, part="rules"), Path.cwd())
    said = page(problems, about=str(folders[1]), language=language_of(language, os.environ))
    show(Report(data(problems), said), format_name=format_name)
    if problems:
        raise typer.Exit(1)


@app.command("test", cls=Verb)
def run_examples(
    *,
    catalog: shared.CatalogOption = None,
    rules: shared.RulesOption = None,
    profile: shared.ProfileOption = "default",
    backend: Annotated[
        Literal["python", "polars", "promql", "z3"] | None,
        typer.Option(
            "--backend",
            help="What runs the conditions, which else are interpreted; promql needs Prometheus' promtool.",
        ),
    ] = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Run the examples that the rules ship with; exits with 1 when one does something else than it says."""
    from knockon.cli.answers.lint import near_place
    from knockon.cli.answers.rules import tested_data, tested_page
    from knockon.cli.show import language_of, show
    from knockon.cli.trees import trees
    from knockon.formats.base import Report
    from knockon.jobs.proving import places_of, run_rule_examples

    folders = trees(catalog, rules)
    results = run_rule_examples(*folders, profile=profile, backend=backend)
    failed = [one for one in results if not one.passed]
    places = [near_place(one, Path.cwd()) for one in places_of(*folders, failed)] if failed else []
    page = tested_page(results, places, language=language_of(language, os.environ))
    show(Report(tested_data(results, places), page), format_name=format_name)
    if failed:
        raise typer.Exit(1)


@app.command("export", cls=Verb)
def export_rules(
    *,
    engine: Annotated[
        str, typer.Option("--engine", help="The engine whose metrics decide: vllm, sglang, trtllm, tgi.")
    ],
    profile: shared.ProfileOption = "default",
    by: Annotated[
        str, typer.Option("--by", metavar="LABELS", help="Labels of a group that is judged as one deployment.")
    ] = "namespace",
    window: Annotated[
        str, typer.Option("--window", metavar="RANGE", help="The range that rates are taken over: 5m, 1h30m.")
    ] = "5m",
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A fact or reading that no metric gives; may be repeated."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Write files, and tests for promtool beside them."),
    ] = None,
    format_name: Annotated[
        Literal["prometheus"], typer.Option("--format", "-f", help="Rule files of Prometheus, Thanos and Mimir.")
    ] = "prometheus",
) -> None:
    """Write the diagnose rules as alerts on an engine's metrics, for Prometheus, Thanos or Mimir.

    Readings are recorded first, then compared with the profile's thresholds. What no metric decides is left out, and a
    comment says why.
    """
    from knockon.cli.show import write
    from knockon.jobs.alerting.alerts import Scope, alerts_of
    from knockon.jobs.alerting.documents import document
    from knockon.jobs.alerting.proof import files_of, write_files
    from knockon.jobs.profiles import profile_named
    from knockon.jobs.shipped import shipped_knowledge

    del format_name
    knowledge = shipped_knowledge()
    labels = tuple(label.strip() for label in by.split(",") if label.strip())
    knowledge, profile = profile_named(knowledge, profile)
    alerts = alerts_of(knowledge, Scope(engine, profile, labels, window, tuple(sets or ())))
    if output is None:
        write(document(alerts, knowledge.catalog), is_json=True)
        return
    written = write_files(files_of(alerts, knowledge.catalog, knowledge.rulebook.vocabulary), output)
    lines = [
        *(f"wrote {path}" for path in written),
        f"{len(alerts.alerts)} alerts, {len(alerts.left_out)} rules left out",
    ]
    write("\n".join(lines) + "\n", is_json=False)


@app.command("analyse", cls=Verb)
def analyse_rules(
    *,
    catalog: shared.CatalogOption = None,
    rules: shared.RulesOption = None,
    profile: shared.ProfileOption = "default",
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Prove what the rules say together: dead, constant, shadowed, repeated; walls at once, gaps, fixes in circles.

    Exits with 1 when a rule never fires, always does, or never speaks. Two walls at once are no fault by themselves:
    both may be there.
    """
    from knockon.cli.answers.analysis import data, page
    from knockon.cli.show import language_of, show
    from knockon.cli.trees import trees
    from knockon.formats.base import Report
    from knockon.jobs.proving import analyse_rules as analysed

    analysis = analysed(*trees(catalog, rules), profile=profile)
    show(Report(data(analysis), page(analysis, language=language_of(language, os.environ))), format_name=format_name)
    if analysis.defects:
        raise typer.Exit(1)
