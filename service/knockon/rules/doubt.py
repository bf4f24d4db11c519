"""What makes the first hypothesis less sure though no reading speaks against it: another wall, or nobody who agrees.

Looked at after the verdict: it changes how sure the answer is, never what it says or in which order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from knockon.rules.hierarchy import SPEAK_MIN, lineage
from knockon.rules.hypothesis import Hypothesis
from knockon.rules.rule import DiagnoseRule
from knockon.rules.wall import Wall
from knockon.terms.words import Text, WallId

# One rule that no other of its wall agrees with, even one that it overrules. On reports that nobody had tuned for (sets
# 4, 5, 8, 9 and 10 of tests/curated/diagnosis_public.yaml) all five verdicts at 0.7 or more of that kind were wrong, of
# the 27 others two.
_ALONE_MAX = 0.65


def doubted(
    walls: Mapping[WallId, Wall], hypotheses: Sequence[Hypothesis], overruled: Sequence[DiagnoseRule]
) -> tuple[Hypothesis, ...]:
    """`hypotheses`, the surest first, with the doubts about the first; no other stays above it.

    Where another wall speaks, its confidence beyond SPEAK_MIN is the share that is taken off: both explain them.
    """
    if not hypotheses or hypotheses[0].confidence < SPEAK_MIN:
        return tuple(hypotheses)
    first, others = hypotheses[0], [one for one in hypotheses[1:] if one.confidence >= SPEAK_MIN]
    whole = _whole(walls, first.wall)
    confidence, doubts = first.confidence, list[Text]()
    agreeing = [*(one.rule for one in others), *overruled]
    if confidence > _ALONE_MAX and not any(_whole(walls, rule.wall) == whole for rule in agreeing):
        confidence = _ALONE_MAX
        doubts.append(Text("no other rule of this wall speaks", "此瓶颈没有其他规则印证"))
    if rival := next((one for one in others if _whole(walls, one.wall) != whole), None):
        confidence *= 1 - (rival.confidence - SPEAK_MIN)
        id_, wall = rival.rule.id, rival.wall
        doubts.append(
            Text(f"{id_} explains the readings by another wall, {wall}", f"{id_} 以另一瓶颈 {wall} 解释同样的读数")
        )
    if not doubts:
        return tuple(hypotheses)
    confidence = round(max(confidence, SPEAK_MIN), 2)
    lowered = replace(first, confidence=confidence, doubts=(*first.doubts, *doubts))
    return (lowered, *(replace(one, confidence=min(one.confidence, confidence)) for one in hypotheses[1:]))


def level_with_first(walls: Mapping[WallId, Wall], hypotheses: Sequence[Hypothesis]) -> tuple[WallId, ...]:
    """The first wall and those that doubts have brought it level with; empty where there is none.

    Numbers that cannot be trusted are no evidence for anything else.
    """
    spoken = [one for one in hypotheses if one.confidence >= SPEAK_MIN]
    if any(one.rule.invalidates for one in spoken):
        return ()
    level = [one.wall for one in spoken if one.confidence == spoken[0].confidence]
    named = dict.fromkeys(wall for wall in level if wall == level[0] or _whole(walls, wall) != _whole(walls, level[0]))
    return tuple(named) if len(named) > 1 else ()


def _whole(walls: Mapping[WallId, Wall], wall: WallId) -> WallId:
    return tuple(lineage(walls, wall))[-1]
