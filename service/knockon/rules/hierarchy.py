"""The tree of walls: which rules are looked at, and which wall the hypotheses together come to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from knockon.backends.python.walk import judge_one
from knockon.rules.hypothesis import Hypothesis
from knockon.rules.rule import DiagnoseRule
from knockon.rules.wall import Wall
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar, WallId

HEALTHY = "healthy"
AMBIGUOUS = "ambiguous"
INSUFFICIENT = "insufficient_data"

# Two walls whose confidence lies within this margin cannot be told apart (toplev of pmu-tools uses 5 points).
AMBIGUITY_MARGIN = 0.05
# Below it a hypothesis is a suspicion: listed, with what would decide it, but no verdict.
SPEAK_MIN = 0.4


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the readings come to: `word` is a wall that is part of no other, or one of the words above."""

    word: str
    finest: WallId | None = None
    """The wall or the part of it that can be told; where parts cannot be told apart, the wall they are parts of."""
    between: tuple[WallId, ...] = ()
    """Walls that explain the readings about equally well."""


def lineage(walls: Mapping[WallId, Wall], wall: WallId) -> Iterator[WallId]:
    """`wall` and the walls it is part of, finest first; a circle or an unknown parent ends it."""
    seen: set[WallId] = set()
    current: WallId | None = wall
    while current is not None and current not in seen:
        yield current
        seen.add(current)
        known = walls.get(current)
        current = known.parent if known else None


@dataclass(frozen=True, slots=True)
class Relief:
    """What moves a wall away."""

    quantities: tuple[str, ...]
    """Those whose gain does; empty where any gain in the dimension does."""
    dimension: str
    stages: tuple[str, ...]
    """The stages whose techniques are looked at."""


def relief_of(walls: Mapping[WallId, Wall], wall: WallId) -> Relief:
    """What moves `wall` away; a part of a wall that says nothing of it is moved by what moves the whole."""
    own = [walls[one] for one in lineage(walls, wall) if one in walls]
    said = next((one for one in own if one.relieved_by), own[0])
    return Relief(said.relieved_by, own[0].dimension, said.stages)


def out_of_reach(walls: Mapping[WallId, Wall], values: Mapping[str, Scalar]) -> frozenset[WallId]:
    """Walls that are not looked at: they, or a wall they are part of, do not cross. What cannot be told crosses."""
    closed = {wall.id for wall in walls.values() if wall.crosses and judge_one(wall.crosses, values) is Truth.FALSE}
    return frozenset(wall for wall in walls if closed & set(lineage(walls, wall)))


def verdict_of(
    walls: Mapping[WallId, Wall], hypotheses: Sequence[Hypothesis], undecided: Sequence[DiagnoseRule]
) -> Verdict:
    """What `hypotheses`, the surest first, come to; `undecided` are the rules that were asked and could not tell."""
    spoken = [one for one in hypotheses if one.confidence >= SPEAK_MIN]
    if not spoken:
        return Verdict(INSUFFICIENT if undecided or hypotheses else HEALTHY)
    best = spoken[0]
    rivals = [
        one for one in spoken if one.wall != best.wall and round(best.confidence - one.confidence, 2) < AMBIGUITY_MARGIN
    ]
    if not rivals:
        return _told(walls, best.wall)
    # Numbers that cannot be trusted are no evidence for anything else, so measuring again comes first.
    for one in (best, *rivals):
        if one.rule.invalidates:
            return _told(walls, one.wall)
    between = tuple(dict.fromkeys(one.wall for one in (best, *rivals)))
    # Of a wall and a part of it the part says more; parts of one wall that cannot be told apart are that wall.
    finest = [wall for wall in between if not any(wall in _above(walls, other) for other in between)]
    if len(finest) == 1:
        return _told(walls, finest[0])
    shared = [wall for wall in lineage(walls, finest[0]) if all(wall in lineage(walls, one) for one in finest)]
    return _told(walls, shared[0], tuple(finest)) if shared else Verdict(AMBIGUOUS, between=tuple(finest))


def _told(walls: Mapping[WallId, Wall], wall: WallId, between: tuple[WallId, ...] = ()) -> Verdict:
    return Verdict(tuple(lineage(walls, wall))[-1], wall, between)


def _above(walls: Mapping[WallId, Wall], wall: WallId) -> frozenset[WallId]:
    return frozenset(lineage(walls, wall)) - {wall}
