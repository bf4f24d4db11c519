"""`knockon place`: I have something new; which cell is it in, and is it new there?"""

import os
from typing import Annotated

import typer

from knockon.cli import complete
from knockon.cli import options as shared
from knockon.cli.plain import Verb

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(cls=Verb)
def place(
    *,
    stage: Annotated[
        str,
        typer.Option(
            "--stage", help="Of its home cell; id or name: inference.", autocompletion=complete.axis("stages")
        ),
    ],
    layer: Annotated[
        str, typer.Option("--layer", help="Of its home cell: L1 to L7.", autocompletion=complete.axis("layers"))
    ],
    dimension: Annotated[
        str,
        typer.Option(
            "--dimension", help="Of its home cell: storage, network.", autocompletion=complete.axis("dimensions")
        ),
    ],
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="STAGE/LAYER/DIMENSION", help="A further cell it occupies; may be repeated."),
    ] = None,
    mechanism: Annotated[
        str | None,
        typer.Option("--mechanism", help="How it works, as a slug; two joined by + when it does what both do."),
    ] = None,
    gains: Annotated[
        list[str] | None, typer.Option("--gains", help="A quantity or dimension it improves; may be repeated.")
    ] = None,
    costs: Annotated[
        list[str] | None, typer.Option("--costs", help="A quantity or dimension it makes worse; may be repeated.")
    ] = None,
    format_name: shared.FormatOption = "table",
    language: shared.LanguageOption = None,
) -> None:
    """I have something new: which cell is it in, and is it a replacement, an alternative, or a new direction there?"""
    from knockon.cli.answers.place import data, page
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.place import place as placed
    from knockon.jobs.shipped import shipped_knowledge

    knowledge = shipped_knowledge()
    answer = placed(
        knowledge,
        stage=stage,
        layer=layer,
        dimension=dimension,
        also=[_cell(text) for text in also or ()],
        mechanism=mechanism,
        gains=gains or (),
        costs=costs or (),
    )
    said = page(answer, knowledge, language=language_of(language, os.environ))
    show(Report(data(answer, knowledge), said), format_name=format_name)


def _cell(text: str) -> tuple[str, str, str]:
    parts = text.split("/")
    if len(parts) != 3:
        raise typer.BadParameter(f"{text!r} is no cell; expected STAGE/LAYER/DIMENSION, like inference/L5/storage")
    return parts[0], parts[1], parts[2]
