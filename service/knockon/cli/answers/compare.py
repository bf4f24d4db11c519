"""The answer of `compare`: the contract's JSON, and the page."""

from collections.abc import Mapping, Sequence

from knockon.cli.answers.sources import cited_data, text_data
from knockon.cli.answers.words import Speaker, dim, name
from knockon.formats.base import Block, Bullets, Column, Item, Marked, Page, Paragraph, Section, Table, Verdict, Words
from knockon.jobs.compare import Changed, CompareAnswer, Explained, Moved, Obstacle
from knockon.jobs.knowledge import Knowledge
from knockon.rules.fill import shown
from knockon.terms.words import Json, Scalar, Text

_SEEN: Mapping[str, Text] = {
    "as expected": Text("seen as expected", "符合预期"),
    "opposite": Text("the opposite was seen", "与预期相反"),
    "not moved": Text("no change was seen", "未见变化"),
    "not measured": Text("not measured", "未测量"),
}


def data(answer: CompareAnswer, knowledge: Knowledge) -> dict[str, Json]:
    """The contract's object."""
    before, after = answer.before.diagnosis, answer.after.diagnosis
    return {
        "comparable": not answer.obstacles,
        "obstacles": [_obstacle_data(one) for one in answer.obstacles],
        "overridden": [_obstacle_data(one) for one in answer.overridden],
        "changed": [{"name": one.name, "before": one.before, "after": one.after} for one in answer.changed],
        "moved": [
            {
                "reading": one.name,
                "before": one.before,
                "after": one.after,
                "ratio": one.ratio,
                "telling": one.is_telling,
            }
            for one in answer.moved
        ],
        "spread_ratio": answer.spread,
        "spread_known": answer.spread_is_known,
        "verdicts": [before.verdict, after.verdict],
        "walls": list(answer.walls),
        "explained": [_explained_data(one, knowledge) for one in answer.explained],
        "notes": [text_data(note) for note in answer.notes],
        "revision": answer.revision,
    }


def page(answer: CompareAnswer, knowledge: Knowledge, *, language: str) -> Page:
    """Whether they can be compared; then what changed, what moved, and what the catalog says of it."""
    speaker = Speaker(language, knowledge.catalog)
    blocks: list[Block] = [_verdict(answer, speaker)]
    aside = speaker.say("Set aside by you; what follows may be due to this alone", "被您忽略；以下变化可能仅源于此")
    for title, found in (
        (speaker.say("In the way", "障碍"), answer.obstacles),
        (aside, answer.overridden),
    ):
        if found:
            items = [Item([name(one.context), f" — {speaker.of(one.why)}"]) for one in found]
            blocks.append(Section([Marked(title, "warn")], [Bullets(items)]))
    if answer.notes:
        blocks.append(Bullets([Item(speaker.of(note)) for note in answer.notes]))
    if not answer.obstacles:
        blocks += [
            Section(speaker.say("What changed", "配置变化"), [_changed(answer.changed, speaker)]),
            Section(speaker.say("What moved", "读数变化"), [_moved(answer.moved, speaker)]),
        ]
    if answer.explained:
        items = [Item(_explained(one, speaker)) for one in answer.explained]
        blocks.append(Section(speaker.say("What the catalog says of it", "目录的解释"), [Bullets(items)]))
    blocks.append(Paragraph([dim(speaker.say(f"revision {answer.revision}", f"版本 {answer.revision}"))]))
    return Page(blocks)


def _verdict(answer: CompareAnswer, speaker: Speaker) -> Verdict:
    if answer.obstacles:
        why = speaker.say("the two runs say nothing about one another", "两次运行无法相互说明")
        return Verdict(speaker.say("not comparable", "不可比较"), "warn", why)
    before, after = answer.before.diagnosis.verdict, answer.after.diagnosis.verdict
    moved = sum(one.is_telling for one in answer.moved)
    said = speaker.say(f"{moved} readings moved", f"{moved} 个读数变化")
    return Verdict(before if before == after else f"{before} → {after}", "bad" if answer.walls[1] else "good", said)


def _obstacle_data(one: Obstacle) -> Json:
    return {"context": one.context, "why": one.why.en, "why_zh": one.why.zh}


def _explained_data(one: Explained, knowledge: Knowledge) -> Json:
    return {
        "technique": one.technique.id,
        "turned": "on" if one.turned_on else "off",
        "effect": one.shift.effect.value,
        "quantity": one.shift.quantity,
        "change": one.shift.change.value,
        "reading": one.reading or None,
        "seen": one.seen,
        "says": one.shift.says.en,
        "says_zh": one.shift.says.zh,
        "sources": cited_data(knowledge.catalog, one.shift.cite),
    }


def _changed(changed: Sequence[Changed], speaker: Speaker) -> Block:
    if not changed:
        return Paragraph(speaker.say("no setting that is known", "没有已知的设置变化"))
    columns = [
        Column(speaker.say("setting", "设置"), wraps=False),
        Column(speaker.say("before", "之前"), align="right"),
        Column(speaker.say("after", "之后"), align="right"),
    ]
    return Table(columns, [[[name(one.name)], _known(one.before), _known(one.after)] for one in changed])


def _known(value: Scalar | None) -> Words:
    return [dim("?")] if value is None else shown(value)


def _moved(moved: Sequence[Moved], speaker: Speaker) -> Block:
    if not moved:
        return Paragraph(speaker.say("no reading is in both runs", "没有两次运行都有的读数"))
    columns = [
        Column(speaker.say("reading", "读数"), wraps=False),
        Column(speaker.say("before", "之前"), align="right", wraps=False),
        Column(speaker.say("after", "之后"), align="right", wraps=False),
        Column(speaker.say("change", "变化"), align="right", wraps=False),
    ]
    rows: list[Sequence[Words]] = [
        [[name(one.name)], shown(one.before), shown(one.after), _change(one, speaker)] for one in moved
    ]
    return Table(columns, rows)


def _change(one: Moved, speaker: Speaker) -> Words:
    said = "" if one.ratio is None else f"{one.ratio - 1:+.1%}"
    return [Marked(said, "strong")] if one.is_telling else [dim(f"{said} {speaker.say('within spread', '在波动内')}")]


def _explained(one: Explained, speaker: Speaker) -> Words:
    turned = speaker.say("on", "开启") if one.turned_on else speaker.say("off", "关闭")
    what = speaker.of(one.shift.says)
    return [f"{speaker.of(one.technique.name)} ({turned}): {what} — ", dim(speaker.of(_SEEN[one.seen]))]
