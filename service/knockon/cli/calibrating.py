"""`profile calibrate` as it is run: measurements in, a profile and its back-test out."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from knockon.cli.measured import Texts
    from knockon.cli.timing import Timing
    from knockon.cli.watching import Watched
    from knockon.jobs.calibrate.calibrate import Wanted


def wanted_of(
    named: tuple[str, str], key: tuple[str, str, str, str, str | None], share: float, only: Sequence[str]
) -> "Wanted":
    """What the options ask for: (name, base), and (hardware, engine, model, load, condition on the load)."""
    from knockon.jobs import age
    from knockon.jobs.calibrate.calibrate import Wanted
    from knockon.jobs.calibrate.written import Key

    (name, base), (hardware, engine, model, load, load_when) = named, key
    return Wanted(
        Key(name, base, hardware, engine, model, load, load_when or ""),
        share,
        tuple(text.removeprefix("threshold.") for text in only),
        today=age.today(),
    )


def calibrated(
    wanted: "Wanted",
    texts: "Texts",
    watched: "Watched | None",
    timing: "Timing",
    *,
    timeout_s: float,
    output: str | None,
    format_name: str,
    language: str | None,
) -> None:
    """Calibrate, write the profile where a file is named, and show what came of it."""
    from dataclasses import replace

    from knockon.cli.answers.calibrate import data, page
    from knockon.cli.measured import taken_together
    from knockon.cli.reading import write_text
    from knockon.cli.show import language_of, show
    from knockon.formats.base import Report
    from knockon.jobs.calibrate.calibrate import calibrate
    from knockon.jobs.shipped import shipped_knowledge

    if not texts.files and watched is None:
        raise typer.BadParameter("give readings over time, the results of a load sweep, or --prometheus URL")
    knowledge = shipped_knowledge()
    taken = taken_together(texts, watched, knowledge.rulebook.vocabulary, timeout_s=timeout_s)
    answer = calibrate(knowledge, taken, replace(wanted, time=timing.asked()))
    if output is not None:
        write_text(output, answer.text)
    said = page(answer, knowledge, language=language_of(language, os.environ), written_to=output)
    show(Report(data(answer, written_to=output), said), format_name=format_name)
