"""Options that several verbs share, spelled once."""

import math
from typing import Annotated, Literal

import typer

from knockon.cli import complete

FormatName = Literal["table", "json", "markdown"]
CheckFormatName = Literal["table", "json", "markdown", "sarif", "junit", "github", "gitlab"]
LanguageName = Literal["en", "zh"]

FormatOption = Annotated[FormatName, typer.Option("--format", "-f", help="How to write the answer.")]
CheckFormatOption = Annotated[
    CheckFormatName,
    typer.Option("--format", "-f", help="How to write the answer; the last four are for code scanning and CI servers."),
]
CheckFilesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE|DIR",
        help="A launch script, Dockerfile, Compose file, Kubernetes manifest, chart values or systemd unit; a model's "
        "config.json; facts as YAML or JSON; a folder with any of these; - is standard input.",
        show_default=False,
    ),
]
SkipOtherFilesOption = Annotated[
    bool,
    typer.Option("--skip-other-files", help="Leave out named files that start no engine, as inside a folder."),
]
AllowUnknownOption = Annotated[
    bool,
    typer.Option(
        "--allow-unknown",
        help="Let flags and models pass that are not known: those of a plug-in, or a team's own. They stay untold.",
    ),
]
OtherReleasesOption = Annotated[
    bool | None,
    typer.Option(
        "--other-releases/--no-other-releases",
        help="Say what other releases find where none is named; it takes five times as long, so a run over a folder or "
        "several launches leaves it out unless asked for.",
        show_default=False,
    ),
]
BaselineOption = Annotated[
    str | None,
    typer.Option("--baseline", metavar="FILE", help="Findings that were there before: shown, but not counted."),
]
WriteBaselineOption = Annotated[
    str | None,
    typer.Option("--write-baseline", metavar="FILE", help="Write the findings of this run as known, and exit with 0."),
]
WaiversOption = Annotated[
    str | None,
    typer.Option(
        "--waivers",
        metavar="FILE",
        help="The waiver file; knockon.waivers.yaml beside and above each checked file if not given.",
    ),
]
LanguageOption = Annotated[
    LanguageName | None,
    typer.Option("--lang", envvar="KNOCKON_LANG", help="Language of the answer; the terminal's (LANG) if not given."),
]
EngineOption = Annotated[
    str | None,
    typer.Option("--engine", help="Engine: vllm, sglang, trtllm, tgi. Recognised from the command where there is one."),
]
EngineVersionOption = Annotated[
    str | None,
    typer.Option(
        "--engine-version", help="Version of the engine, or a day, month or year; the newest known if not given."
    ),
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
ReadingsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE",
        help="Metrics (Prometheus text of engine, GPUs, host), benchmark results, logs, or readings as YAML or JSON;"
        " - is standard input.",
        show_default=False,
    ),
]
SourceOption = Annotated[
    str | None, typer.Option("--source", help="What the files are; recognised from their text if not given.")
]
RunOption = Annotated[
    str | None,
    typer.Option(
        "--run",
        metavar="NAME",
        help="The run of a benchmark that is judged, by name or number from 1; the highest load if not given.",
    ),
]
BeforeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--before", metavar="FILE", help="An earlier scrape of the same target, for rates; one per FILE, in order."
    ),
]
SetReadingOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="READING=VALUE", help="A reading that wins over the files; may be repeated."),
]
ToldOption = Annotated[
    str | None,
    typer.Option(
        "--told", metavar="TEXT", help="What people say of the system, in English; compared with known reports."
    ),
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile", help="Thresholds to judge by: a name, or the file of a profile.", autocompletion=complete.profiles
    ),
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

# A day: longer waits are mistakes, and databases count milliseconds in 32 bits.
_SECONDS_MAX = 86400.0


def seconds(value: float | None) -> float | None:
    """A time that can be waited for; raises BadParameter for any other number."""
    if value is not None and not (math.isfinite(value) and 0 <= value <= _SECONDS_MAX):
        raise typer.BadParameter(f"{value!r} is no number of seconds from 0 to {_SECONDS_MAX:.0f}")
    return value


def seconds_between(value: float | None) -> float | None:
    """A time between two scrapes, which is more than none; raises BadParameter."""
    if value is not None and not (math.isfinite(value) and value > 0):
        raise typer.BadParameter(f"{value!r} is no number of seconds above 0")
    return value


ElapsedOption = Annotated[
    float | None,
    typer.Option(
        "--elapsed",
        metavar="SECONDS",
        callback=seconds_between,
        help="Time between --before and FILE, or between two files of a series.",
    ),
]
