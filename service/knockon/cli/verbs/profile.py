"""`knockon profile`: look at the thresholds that readings are judged by."""

import os
from typing import Annotated

import typer

from knockon.cli import complete
from knockon.cli import options as shared
from knockon.cli.plain import Group, Verb

app = typer.Typer(
    cls=Group,
    add_completion=False,
    rich_markup_mode="markdown",
    no_args_is_help=True,
    help="Look at the thresholds that readings are judged by.",
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
    profile: Annotated[str, typer.Argument(help="Its name: default.", autocompletion=complete.profiles)] = "default",
    *,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Show every threshold in force under a profile, with where its value comes from."""
    from knockon.cli.answers.profile import shown_data, shown_page
    from knockon.cli.answers.words import Speaker
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.shipped import shipped_knowledge
    from knockon.rules.thresholds import in_force

    knowledge = shipped_knowledge()
    thresholds = in_force(knowledge.rulebook.profiles, profile)
    found = knowledge.rulebook.profiles[profile]
    speaker = Speaker(language_of(language, os.environ), knowledge.catalog)
    page = shown_page(found, thresholds, speaker)
    show(Report(shown_data(found, thresholds, knowledge), page), format_name=format_name)
