"""`knockon locate`: where does a technique sit, or which layer should one look at for a symptom?"""

import os
from typing import Annotated

import typer

from knockon.cli import complete
from knockon.cli import options as shared
from knockon.cli.plain import Verb

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=Verb)
def locate(
    asked: Annotated[
        str,
        typer.Argument(
            metavar="TECHNIQUE|SYMPTOM",
            help='A technique by any of its names, or what is seen: "decode slow, memory tight".',
            autocompletion=complete.techniques,
        ),
    ],
    *,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """Where does this technique sit? Or: which layer should I look at for this symptom?"""
    from knockon.cli.answers.locate import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs import age
    from knockon.jobs.locate import locate as located
    from knockon.jobs.shipped import shipped_knowledge

    knowledge = shipped_knowledge()
    answer = located(knowledge, asked)
    ages = age.Ages(knowledge, age.today())
    said = page(answer, ages, language=language_of(language, os.environ))
    show(Report(data(answer, ages), said), format_name=format_name)
