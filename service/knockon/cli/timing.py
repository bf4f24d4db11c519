"""How series are looked at: what the options of verbs over time say."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from knockon.cli.options import seconds_between
from knockon.cli.watching import duration

if TYPE_CHECKING:
    from knockon.jobs.timeline import TimeAsked

SeriesOption = Annotated[
    bool,
    typer.Option(
        "--series",
        help="The files are of one system over time, the oldest first. They say their times, or --elapsed does.",
    ),
]
ElapsedOption = Annotated[
    float | None,
    typer.Option("--elapsed", metavar="SECONDS", callback=seconds_between, help="Time between two files of --series."),
]
WindowOption = Annotated[
    str | None, typer.Option("--window", metavar="10m", help="What trends look back on; 10m if not given.")
]
WarmUpOption = Annotated[
    str | None,
    typer.Option(
        "--warm-up", metavar="2m", help="Leave out this much of the beginning; found from throughput if not given."
    ),
]
GapOption = Annotated[
    str | None,
    typer.Option("--gap", metavar="1m", help="Time without values that is a gap; two and a half steps if not given."),
]


@dataclass(frozen=True, slots=True)
class Timing:
    """The options as they were written."""

    window: str | None = None
    warm_up: str | None = None
    gap: str | None = None

    def asked(self) -> "TimeAsked":
        """What they ask for; raises BadParameter for what is no time."""
        from knockon.jobs.timeline import TimeAsked
        from knockon.rules.trends import WINDOW_S

        return TimeAsked(
            window_s=_over_none(self.window, "--window") or WINDOW_S,
            warm_up_s=None
            if self.warm_up is None
            else 0.0
            if self.warm_up == "0"
            else duration(self.warm_up, "--warm-up"),
            gap_s=_over_none(self.gap, "--gap"),
        )


def _over_none(text: str | None, option: str) -> float | None:
    if text is None:
        return None
    if (seconds := duration(text, option)) > 0:
        return seconds
    raise typer.BadParameter(f"{text!r} is no time over 0", param_hint=f"'{option}'")
