"""Several texts in one question: what watches the same thing twice counts once, what is apart stays apart."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from knockon.sources.base import Taken
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.words import Text

# Kinds that watch a system from the same side. Where two of them give one reading it is the same thing measured twice,
# and adding it up would double a queue or a rate. The first counts as the better: an exporter's figure is of now, a log
# line of its interval, nvidia-smi's of a driver's average.
_WATCHES = ("prometheus", "engine-log", "nvidia-smi")


def together(parts: Sequence[Taken]) -> list[Taken]:
    """The parts, so that their readings can be put in one list.

    A reading that two kinds of text give is left out of the lesser one, with a note. Replicas of several texts that are
    called the same ("gpu=0" on two nodes) carry the name of their text from then on.
    """
    kept = [_without_doubles(part, parts) for part in parts]
    names = Counter(key for part in kept for key in _keys(part))
    return [_told_apart(part, {key for key in _keys(part) if names[key] > 1}) for part in kept]


def _without_doubles(part: Taken, parts: Sequence[Taken]) -> Taken:
    if part.source not in _WATCHES:
        return part
    better = _WATCHES[: _WATCHES.index(part.source)]
    measured = {
        reading.name
        for other in parts
        if other.source in better
        for reading in other.readings
        if reading.state == "measured"
    }
    doubles = list(dict.fromkeys(reading.name for reading in part.readings if reading.name in measured))
    if not doubles:
        return part
    listed = ", ".join(doubles)
    note = Text(
        f"{listed} of {part.filename} are left out: metrics given with it say the same of the same system",
        f"{part.filename} 中的 {listed} 不计：同时给出的指标已包含同一系统的这些读数",
    )
    return replace(
        part,
        readings=tuple(reading for reading in part.readings if reading.name not in measured),
        series=tuple(series for series in part.series if series.name not in measured),
        notes=(*part.notes, note),
    )


def _keys(part: Taken) -> set[tuple[str, str, str]]:
    return {_key(one) for one in _named(part)}


def _named(part: Taken) -> Iterable[Reading | Series]:
    yield from part.readings
    yield from part.series


def _key(one: Reading | Series) -> tuple[str, str, str]:
    return (one.name, one.model, one.replica)


def _told_apart(part: Taken, shared: set[tuple[str, str, str]]) -> Taken:
    """`part` with its file's name before the replicas that another text has too."""
    if not shared:
        return part

    def called(replica: str) -> str:
        return f"{part.filename}: {replica}" if replica else part.filename

    return replace(
        part,
        readings=tuple(
            replace(reading, replica=called(reading.replica)) if _key(reading) in shared else reading
            for reading in part.readings
        ),
        series=tuple(
            replace(series, replica=called(series.replica)) if _key(series) in shared else series
            for series in part.series
        ),
    )
