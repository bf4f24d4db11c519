"""`knockon catalog`: list what it knows, check its files, compare two states, publish one, write one out."""

import getpass
import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from knockon.cli import draft_options as drafted
from knockon.cli import options as shared
from knockon.cli.plain import Group, Verb

app = typer.Typer(
    cls=Group,
    add_completion=False,
    rich_markup_mode="markdown",
    no_args_is_help=True,
    help="List what the catalog knows, check its files, compare, publish and write out its states.",
)


@app.command("lint", cls=Verb)
def lint_catalog(
    *,
    catalog: shared.CatalogOption = None,
    rules: shared.RulesOption = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Check the files of the catalog: shape, references, conditions, sources, translations."""
    from knockon.cli.answers.lint import data, near, page
    from knockon.cli.show import language_of, show
    from knockon.cli.trees import trees
    from knockon.formats.base import Report
    from knockon.jobs.lint import lint

    folders = trees(catalog, rules)
    problems = near(lint(*folders, part="catalog"), Path.cwd())
    said = page(problems, about=str(folders[0]), language=language_of(language, os.environ))
    show(Report(data(problems), said), format_name=format_name)
    if problems:
        raise typer.Exit(1)


@app.command("new", cls=Verb)
def new_file(
    key: Annotated[str, typer.Argument(metavar="ID", help="The technique's id: lower-case words with dashes.")],
    *,
    name: drafted.NameOption = None,
    name_zh: drafted.ChineseNameOption = None,
    alias: drafted.AliasOption = None,
    stage: drafted.StageOption = None,
    layer: drafted.LayerOption = None,
    dimension: drafted.DimensionOption = None,
    mechanism: drafted.MechanismOption = None,
    goal: drafted.GoalOption = None,
    goal_zh: drafted.ChineseGoalOption = None,
    summary: drafted.SummaryOption = None,
    summary_zh: drafted.ChineseSummaryOption = None,
    gain: drafted.GainOption = None,
    cost: drafted.CostOption = None,
    cite: drafted.CiteOption = None,
    when: drafted.WhenOption = None,
    size: drafted.SizeOption = None,
    need: drafted.NeedOption = None,
    switch: drafted.SwitchOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the file, or why lint refuses it, and write nothing.")
    ] = False,
    catalog: shared.CatalogOption = None,
    rules: shared.RulesOption = None,
) -> None:
    """Begin a technique: write its file at its place, asking on the terminal for what is not given.

    The record of translations gets its sentences, too. Where `catalog lint` would complain, nothing is written, and
    what was typed is printed as a command, to be mended and run again.
    """
    from knockon.cli.drafting import Answers, draft_of, knowledge_in, told_again, written
    from knockon.jobs.new import new_technique

    asked = {"name": name, "name-zh": name_zh, "stage": stage, "layer": layer, "dimension": dimension}
    asked |= {"mechanism": mechanism, "goal": goal, "goal-zh": goal_zh, "summary": summary, "summary-zh": summary_zh}
    asked |= {"gain": ",".join(gain or ()), "cost": ",".join(cost or ()), "cite": ",".join(cite or ())}
    more = {"alias": alias or (), "when": () if when is None else (when,)}
    more |= {"size": size or (), "need": need or (), "switch": switch or ()}
    known = knowledge_in(catalog, rules)
    where = [f"--{name}={folder}" for name, folder in (("catalog", catalog), ("rules", rules)) if folder]
    answers = Answers(key, [*where, *(["--dry-run"] if dry_run else [])])
    with told_again(answers):
        draft = draft_of(known, key, asked, more, answers=answers)
        written(new_technique(known.catalog, draft), catalog, rules, dry_run=dry_run)


@app.command("fmt", cls=Verb)
def format_catalog(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Only these files of the trees; all when none is given.")
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 when a file would change.")
    ] = False,
    translated: Annotated[
        bool,
        typer.Option("--translated", help="Record that the Chinese of these files says what their English says today."),
    ] = False,
    catalog: shared.CatalogOption = None,
    rules: shared.RulesOption = None,
) -> None:
    """Write the YAML files of both trees evenly: indentation, blanks and the order of keys; comments stay.

    Keys come in the order of their shape, at every depth; a comment goes with the key it stands above. Quotes, where
    lines break, and whether a list stands in brackets stay as typed.
    Which English each Chinese sentence was made from is recorded in `translations.lock` of the catalog.
    """
    from knockon.cli.show import write
    from knockon.cli.trees import trees, within
    from knockon.jobs.fmt import fmt, translations

    folders = trees(catalog, rules)
    only = within(folders, files or ())
    found = list(fmt(*folders, only=only))
    record = translations(*folders, confirmed=only if translated else None)
    found += [record] if record else []
    changed = [one for one in found if one.changed]
    verb = "would change" if check else "changed"
    for one in () if check else changed:
        one.file.write_text(one.text, encoding="utf-8", newline="\n")
    lines = [*(f"{verb} {one.file}" for one in changed), f"{verb} {len(changed)} of {len(found)} files"]
    write("\n".join(lines) + "\n", is_json=False)
    if check and changed:
        raise typer.Exit(1)


@app.command("diff", cls=Verb)
def diff_catalog(
    old: Annotated[str, typer.Argument(help="A revision's number, `shipped`, or a folder with catalog/ and rules/.")],
    new: Annotated[str, typer.Argument(help="The same, to compare with.")] = "shipped",
    *,
    answers: Annotated[
        bool, typer.Option("--answers/--no-answers", help="Say too which answers change; --no-answers is faster.")
    ] = True,
    database_url: shared.DatabaseOption = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Say what differs between two states of catalog and rules: added, changed, removed, and which answers change."""
    from knockon.cli.answers.catalog import diff_data, diff_page
    from knockon.cli.show import language_of, show
    from knockon.cli.trees import state_named
    from knockon.formats.base import Report
    from knockon.jobs.diff import diff
    from knockon.jobs.diff_answers import changed_answers
    from knockon.jobs.knowledge import knowledge_of

    states = state_named(old, database_url), state_named(new, database_url)
    difference = diff(*states)
    changed = None
    if answers:
        changed = () if difference.is_empty else changed_answers(*map(knowledge_of, states))
    page = diff_page(difference, changed, language=language_of(language, os.environ))
    show(Report(diff_data(difference, changed), page), format_name=format_name)


@app.command("load", cls=Verb)
def load_catalog(
    *,
    catalog: shared.CatalogOption = None,
    rules: shared.RulesOption = None,
    database_url: shared.DatabaseOption = None,
    author: Annotated[str | None, typer.Option("--author", help="Who publishes; the user if not given.")] = None,
    message: Annotated[str, typer.Option("--message", "-m", help="Why.")] = "knockon catalog load",
    wait: Annotated[
        float,
        typer.Option(
            "--wait",
            metavar="SECONDS",
            callback=shared.seconds,
            help="How long to wait for another program's write to end.",
        ),
    ] = 10.0,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Publish catalog and rules as a new revision: the whole tree, or nothing of it.

    A tree that does not hold together is refused. What wants upkeep (an older translation, a stale claim) is not, nor
    is an example that fails: `catalog lint`, `rules lint` and `rules test` say those.
    """
    from knockon.cli.answers.catalog import loaded_data, loaded_page
    from knockon.cli.show import language_of, show
    from knockon.cli.trees import store_at, trees
    from knockon.formats.base import Report
    from knockon.jobs.load import load

    with store_at(database_url, wait_s=wait) as store:
        store.migrate()
        revision = load(store, *trees(catalog, rules), author=author or _user(), message=message)
        changes = store.changes(revision.parent, revision.number) if revision.changed and revision.parent else None
    page = loaded_page(revision, changes, where=store.shown_url, language=language_of(language, os.environ))
    show(Report(loaded_data(revision, changes), page), format_name=format_name)


@app.command("search", cls=Verb, context_settings={"ignore_unknown_options": True})
def search_catalog(
    words: Annotated[list[str], typer.Argument(help="Words in English or Chinese; spelling need not be exact.")],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many techniques at most.")] = 10,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Find techniques by words: names and aliases first, then what they are for and how they work."""
    from knockon.cli.answers.search import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.search import search
    from knockon.jobs.shipped import shipped_knowledge

    knowledge = shipped_knowledge()
    answer = search(knowledge, " ".join(words), limit=limit)
    said = page(answer, knowledge, language=language_of(language, os.environ))
    show(Report(data(answer, knowledge), said), format_name=format_name)


@app.command("schema", cls=Verb)
def schema_catalog(
    kind: Annotated[
        Literal[
            "technique",
            "quantity",
            "citation",
            "cell",
            "axes",
            "model",
            "gpu",
            "vocabulary",
            "wall",
            "profile",
            "symptom",
            "couple",
            "diagnose",
        ],
        typer.Argument(help="What the file holds."),
    ],
    *,
    catalog: shared.CatalogOption = None,
    rules: shared.RulesOption = None,
) -> None:
    """Print the JSON Schema of one kind of file, for an editor that completes and checks while one types.

    It completes ids, too: those of the shipped trees, or of `--catalog` and `--rules`. It refuses unknown ids, save
    those of techniques and citations, which may be in a file still to come: `catalog lint` looks for them.
    """
    import json

    from knockon.cli.show import write
    from knockon.cli.trees import trees
    from knockon.curate.schema import schema_of
    from knockon.curate.tree import read_tree
    from knockon.jobs.knowledge import knowledge_of
    from knockon.jobs.naming import names_in

    schema = schema_of(kind, names_in(knowledge_of(read_tree(*trees(catalog, rules)))))
    write(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", is_json=True)


@app.command("export", cls=Verb)
def export_catalog(
    *,
    revision: Annotated[
        str, typer.Option("--revision", help="A revision's number, `shipped`, or a folder with catalog/ and rules/.")
    ] = "shipped",
    database_url: shared.DatabaseOption = None,
    format_name: Annotated[
        Literal["json", "table", "csv", "markdown", "dot", "mermaid", "svg"],
        typer.Option(
            "--format",
            "-f",
            help="json has everything; csv and markdown are tables of techniques; dot and mermaid are graphs of their "
            "relations; svg is the matrix of stages, layers and dimensions.",
        ),
    ] = "json",
    language: shared.LanguageOption = None,
) -> None:
    """Write the catalog out for other programs and for people."""
    from knockon.cli.answers.catalog import exported_data, exported_page
    from knockon.cli.show import language_of, show, write
    from knockon.cli.trees import state_named
    from knockon.formats.base import Report
    from knockon.jobs.export import WRITERS
    from knockon.jobs.knowledge import knowledge_of

    number = int(revision) if revision.isdecimal() else None
    knowledge = knowledge_of(state_named(revision, database_url), number=number)
    speaks = language_of(language, os.environ)
    if format_name in WRITERS:
        # Other programs read these, so they are UTF-8 whatever the terminal speaks.
        write(WRITERS[format_name](knowledge.catalog, speaks), is_json=True)
    else:
        show(Report(exported_data(knowledge), exported_page(knowledge, language=speaks)), format_name=format_name)


@app.command("list", cls=Verb)
def list_catalog(
    kind: Annotated[
        Literal["models", "gpus", "techniques", "quantities", "facts", "readings"],
        typer.Argument(help="What to list.", metavar="KIND"),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD]...", help="Only those with each of these in a name, an alias or what it means."),
    ] = None,
    *,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """List what is known: models, gpus, techniques, quantities, facts or readings, by the names that options take."""
    from knockon.cli.answers.listing import listed, listed_data, listed_page
    from knockon.cli.answers.words import Speaker
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.shipped import shipped_knowledge

    knowledge = shipped_knowledge()
    found = listed(knowledge, kind, words=" ".join(words or ()))
    page = listed_page(found, kind, Speaker(language_of(language, os.environ), knowledge.catalog))
    show(Report(listed_data(found, kind, knowledge), page), format_name=format_name)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # A container may run as a number that no user has.
        return "unknown"
