"""Which reports whose cause was found are like what a person tells, as readings that rules can speak of."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from knockon.rules.intake import Intake, worked_out
from knockon.rules.precedent import Precedents, Resemblance, features_of, features_told
from knockon.sources.base import Taken
from knockon.terms.words import Scalar

_WALL, _SHARE = "precedent_wall", "precedent_share_ratio"
# An exporter's whole sheet was not chosen, and so few words as these are like anything.
_READINGS_MAX, _FEATURES_MIN = 40, 8


def resembling(
    precedents: Precedents, taken: Sequence[Taken], said: Collection[str], intake: Intake
) -> Resemblance | None:
    """What the precedents make of what people tell in `taken` and beside it under the names `said`.

    None where nobody tells enough in words.
    Of measurements alone nothing is concluded here: an exporter mentions what it can, a person what struck them.
    """
    told = [part for part in taken if part.told]
    named = {*said, *(reading.name for part in told for reading in part.readings)}
    readings = {name: one.value for name, one in intake.observed.items() if name in named}
    features = frozenset((*features_of(readings), *features_told("; ".join(part.told for part in told))))
    if not told or len(features) < _FEATURES_MIN or len(readings) > _READINGS_MAX:
        return None
    return precedents.resemblance(features)


def with_resemblance(intake: Intake, found: Resemblance | None) -> Intake:
    """`intake` with what reports like it were caused by; it replaces what anybody said of that."""
    if found is None:
        return intake
    behind = ", ".join(one.precedent.id for one in found.nearest)
    values: dict[str, Scalar] = {_WALL: found.wall, _SHARE: round(found.share, 3)}
    added = {name: worked_out(name, value, f"precedents; the nearest: {behind}") for name, value in values.items()}
    return replace(intake, observed={**intake.observed, **added})
