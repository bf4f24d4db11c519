"""The options of `knockon catalog new`: a part of a technique each. Those that are lists may be repeated."""

from typing import Annotated

import typer

NameOption = Annotated[str | None, typer.Option("--name", help="Name in English.")]
ChineseNameOption = Annotated[str | None, typer.Option("--name-zh", help="Name in Chinese.")]
AliasOption = Annotated[
    list[str] | None, typer.Option("--alias", help="What else people call or type for it; may be repeated.")
]
StageOption = Annotated[str | None, typer.Option("--stage", help="Stage of its home cell.")]
LayerOption = Annotated[str | None, typer.Option("--layer", help="Layer of its home cell.")]
DimensionOption = Annotated[str | None, typer.Option("--dimension", help="Dimension of its home cell.")]
MechanismOption = Annotated[str | None, typer.Option("--mechanism", help="How it works, as a slug it may share.")]
GoalOption = Annotated[str | None, typer.Option("--goal", help="What it is for, in English.")]
ChineseGoalOption = Annotated[str | None, typer.Option("--goal-zh", help="The same in Chinese.")]
SummaryOption = Annotated[str | None, typer.Option("--summary", help="How it works, in English.")]
ChineseSummaryOption = Annotated[str | None, typer.Option("--summary-zh", help="The same in Chinese.")]
GainOption = Annotated[list[str] | None, typer.Option("--gain", help="A quantity that gets better; may be repeated.")]
CostOption = Annotated[list[str] | None, typer.Option("--cost", help="A quantity that gets worse; may be repeated.")]
CiteOption = Annotated[list[str] | None, typer.Option("--cite", help="A citation's id; may be repeated.")]
WhenOption = Annotated[
    str | None, typer.Option("--when", metavar="CONDITION", help="Under which condition it gains and costs.")
]
SizeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        metavar="QUANTITY=EN|ZH|BASIS",
        help="How much of a gain or cost; the basis is arithmetic, stated, example, or what it was measured on.",
    ),
]
NeedOption = Annotated[
    list[str] | None, typer.Option("--need", metavar="EN|ZH[|CONDITION]", help="What it assumes; may be repeated.")
]
SwitchOption = Annotated[
    list[str] | None,
    typer.Option("--switch", metavar="ENGINE=SWITCH[@RELEASE]", help="What turns it on; may be repeated."),
]
