"""Options that several verbs share, spelled once."""

from typing import Annotated, Literal

import typer

from knockon.cli import complete

FormatName = Literal["table", "json", "markdown"]
CheckFormatName = Literal["table", "json", "markdown", "sarif", "junit", "github", "gitlab"]
LanguageName = Literal["en", "zh"]

FormatOption = Annotated[FormatName, typer.Option("--format", "-f", help="How to write the answer.")]
CheckFormatOption = Annotated[
    CheckFormatName,
    typer.Option(
        "--format", "-f", help="How to write the answer; the last four are for code scanning and CI servers."
    ),
]
LanguageOption = Annotated[
    LanguageName | None,
    typer.Option("--lang", envvar="KNOCKON_LANG", help="Language of the answer; the terminal's (LANG) if not given."),
]
EngineOption = Annotated[
    str | None,
    typer.Option("--engine", help="Engine: vllm, sglang, trtllm. Recognised from the command where there is one."),
]
EngineVersionOption = Annotated[
    str | None, typer.Option("--engine-version", help="Version of the engine; the newest known if not given.")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Model by name (Qwen/Qwen3-235B-A22B), or the path of its config.json.",
        autocompletion=complete.models,
    ),
]
GpuOption = Annotated[
    str | None, typer.Option("--gpu", help="GPU by name (H200, A100-80GB).", autocompletion=complete.gpus)
]
GpusOption = Annotated[int | None, typer.Option("--gpus", min=1, help="How many GPUs there are.")]
DeploymentOption = Annotated[
    str | None,
    typer.Option(
        "--deployment",
        metavar="FILE",
        help="The deployment it runs in: a launch command, a config.json, or facts as YAML or JSON.",
    ),
]
ProfileOption = Annotated[
    str, typer.Option("--profile", help="Thresholds to judge by.", autocompletion=complete.profiles)
]
CatalogOption = Annotated[
    str | None, typer.Option("--catalog", metavar="DIR", help="Folder of the catalog; the shipped one if not given.")
]
RulesOption = Annotated[
    str | None, typer.Option("--rules", metavar="DIR", help="Folder of the rules; the shipped ones if not given.")
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database-url",
        metavar="URL",
        envvar="KNOCKON_DATABASE_URL",
        help="sqlite:///path or postgresql://user@host/name; the user's own database if not given.",
        show_envvar=True,
    ),
]
