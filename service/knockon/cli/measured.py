"""Files of metrics and readings that are named on the command line, as the jobs take them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from knockon.cli.watching import Watched
    from knockon.expr.vocabulary import Vocabulary
    from knockon.sources.base import Taken


def texts_of(files: Sequence[str], before: Sequence[str]) -> list[tuple[str, str, str | None]]:
    """(name, text, earlier text) of every file."""
    from knockon.cli.reading import read_text, shown

    earlier = [read_text(path) for path in before]
    return [(shown(path), read_text(path), old) for path, old in zip_longest(files, earlier)]


def taken_of(
    texts: Sequence[tuple[str, str, str | None]],
    vocabulary: "Vocabulary",
    *,
    source: str | None,
    elapsed_s: float | None,
) -> list["Taken"]:
    """The readings of every text."""
    from knockon.sources import read_source

    return [
        read_source(
            text,
            filename=filename,
            vocabulary=vocabulary,
            source=source,
            before=old,
            elapsed_s=elapsed_s if old is not None else None,
        )
        for filename, text, old in texts
    ]


@dataclass(frozen=True, slots=True)
class Texts:
    """Files of readings as the options name them."""

    files: Sequence[str] = ()
    before: Sequence[str] = ()
    source: str | None = None
    elapsed_s: float | None = None
    run: str | None = None
    """Which of several runs is judged."""
    told: str = ""
    """What people say of the system, in words."""
    is_series: bool = False
    """Whether the files are of one system over time, the oldest first."""

    def refuse(self, *, is_other: bool) -> None:
        """Raise BadParameter for options that do not go together; `is_other` where readings come from elsewhere too."""
        if self.is_series and (self.before or not self.files):
            raise typer.BadParameter("the files of a series are FILEs", param_hint="'--series'")
        if not self.files and not is_other:
            raise typer.BadParameter(
                "give a file of metrics or readings, --prometheus URL, --told TEXT, or readings with --set"
            )
        if len(self.before) > len(self.files):
            raise typer.BadParameter("there is no FILE for every --before", param_hint="'--before'")
        if self.elapsed_s is not None and not self.before and not self.is_series:
            raise typer.BadParameter("there is no --before that it would be the time since", param_hint="'--elapsed'")


def taken_together(
    texts: Texts, watched: "Watched | None", vocabulary: "Vocabulary", *, timeout_s: float
) -> list["Taken"]:
    """The readings of every file and of the server that is watched, each counted once."""
    from knockon.cli.watching import watched_taken
    from knockon.sources import read_told
    from knockon.sources.in_a_row import read_in_a_row
    from knockon.sources.together import together

    named = texts_of(texts.files, texts.before)
    if texts.is_series:
        bare = [(filename, text) for filename, text, _ in named]
        taken = [read_in_a_row(bare, vocabulary=vocabulary, source=texts.source, elapsed_s=texts.elapsed_s)]
    else:
        taken = taken_of(named, vocabulary, source=texts.source, elapsed_s=texts.elapsed_s)
    if texts.told:
        taken.append(read_told(texts.told, vocabulary, filename="--told"))
    if watched is not None:
        taken.append(watched_taken(watched, vocabulary, timeout_s=timeout_s))
    return together(taken, run=texts.run)
