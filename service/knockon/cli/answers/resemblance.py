"""Reports that are like what was told: the contract's JSON, and their part of the page."""

from knockon.cli.answers.words import Speaker, dim
from knockon.formats.base import Bullets, Item, Paragraph, Section
from knockon.jobs.knowledge import Knowledge
from knockon.rules.precedent import OPEN, Resemblance
from knockon.terms.words import Json

# As much of what others told as shows whether it is the same.
_TOLD_MAX = 160


def resemblance_data(found: Resemblance | None) -> Json:
    """The contract's object; null where nobody told anything."""
    if found is None:
        return None
    return {
        "wall": found.wall,
        "share": round(found.share, 3),
        "nearest": [
            {
                "precedent": one.precedent.id,
                "wall": one.precedent.wall,
                "likeness": round(one.likeness, 3),
                "told": one.precedent.told,
                "source": one.precedent.source,
            }
            for one in found.nearest
        ],
    }


def resemblance_section(found: Resemblance, knowledge: Knowledge, speaker: Speaker) -> Section:
    """What caused the reports that are like it, and the nearest of them with their addresses."""
    wall = knowledge.rulebook.walls.get(found.wall)
    share = f"{found.share:.0%}"
    if found.wall == OPEN or wall is None:
        said = speaker.say(
            f"Reports like this one stayed without an established cause ({share}).",
            f"与此相似的报告没有查明原因（{share}）。",
        )
    else:
        said = speaker.say(
            f"Among reports like this one, {speaker.of(wall.name)} goes before all other causes ({share}).",
            f"在与此相似的报告中，{speaker.of(wall.name)}居各原因之首（{share}）。",
        )
    items = [
        Item([f"{_short(one.precedent.told)} " if one.precedent.told else "", dim(one.precedent.source)])
        for one in found.nearest
    ]
    return Section(speaker.say("Known reports like this", "相似的已知报告"), [Paragraph(said), Bullets(items)])


def _short(told: str) -> str:
    return told if len(told) <= _TOLD_MAX else f"{told[:_TOLD_MAX]}…"
