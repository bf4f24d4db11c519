"""Several texts of one system, one after the other, as one: the last one's readings, and all of them over time."""

from collections.abc import Sequence
from dataclasses import replace

from knockon.expr.vocabulary import Vocabulary
from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.series import Series

# The kind of text that holds running totals: rates are of the time since the text before.
_TOTALS = "prometheus"


def read_in_a_row(
    texts: Sequence[tuple[str, str]],
    *,
    vocabulary: Vocabulary,
    source: str | None = None,
    elapsed_s: float | None = None,
) -> Taken:
    """Read texts of the same kind from the same system, the oldest first.

    Rates are of the time between each text and the one before it; a counter that was reset between them gives none,
    with the reason, as between any two scrapes.

    Args:
        texts: (name, text), at least one.
        vocabulary: the readings and facts there are.
        source: a name of `SOURCES`; None means that each text shows it.
        elapsed_s: seconds between two texts; None where the texts say their times.

    Raises:
        IntakeError: a text cannot be read, says no time where `elapsed_s` is None, or is not after the one before it.
        NotFound, LimitExceeded: as `read_source`.
    """
    read: list[tuple[float, Taken]] = []
    before: str | None = None
    for index, (filename, text) in enumerate(texts):
        bare = read_source(text, filename=filename, vocabulary=vocabulary, source=source)
        at_s = _time(bare, filename) if elapsed_s is None else index * elapsed_s
        if read and at_s <= read[-1][0]:
            what = f"{filename} is not of a later time than the text before it"
            at = Position(filename, 1, 1)
            raise IntakeError(Problem("times-fall", what, expected="the oldest text first", at=at))
        taken = bare
        if before is not None and bare.source == _TOTALS:
            between_s = at_s - read[-1][0]
            taken = read_source(
                text, filename=filename, vocabulary=vocabulary, source=source, before=before, elapsed_s=between_s
            )
        read.append((at_s, taken))
        before = text
    return replace(read[-1][1], series=tuple(_series(read)))


def _time(taken: Taken, filename: str) -> float:
    times = [reading.at_s for reading in taken.readings if reading.at_s is not None]
    if not times:
        what = f"{filename} does not say of which time it is"
        fix = "give the seconds between two texts with --elapsed"
        raise IntakeError(Problem("no-time", what, fix=fix, at=Position(filename, 1, 1)))
    return max(times)


def _series(read: Sequence[tuple[float, Taken]]) -> list[Series]:
    held: dict[tuple[str, str, str], dict[float, float]] = {}
    for at_s, taken in read:
        for reading in taken.readings:
            if isinstance(reading.value, int | float):
                held.setdefault((reading.name, reading.model, reading.replica), {})[at_s] = float(reading.value)
    origin = f"{len(read)} texts from {read[0][1].filename} to {read[-1][1].filename}"
    return [
        Series(name, tuple(values), tuple(values.values()), origin, replica=replica, model=model)
        for (name, model, replica), values in held.items()
    ]
