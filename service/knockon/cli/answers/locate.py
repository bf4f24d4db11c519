"""The answer of `locate`: a technique with its surroundings, or the layers behind a symptom."""

from collections.abc import Mapping, Sequence

from knockon.catalog.indexes import RelationOf
from knockon.catalog.locate import Neighbourhood, SymptomPlace, TechniquePlace
from knockon.catalog.technique import Relation, Technique
from knockon.cli.answers.ages import age_words
from knockon.cli.answers.contrast import contrast_data, contrast_section
from knockon.cli.answers.shifts import relation_data, shifts_block, technique_data
from knockon.cli.answers.sources import cell_data, sources_block, sources_data
from knockon.cli.answers.symptom import symptom_blocks, symptom_data
from knockon.cli.answers.words import Speaker, dim, name, names
from knockon.formats.base import (
    Block,
    Bullets,
    Column,
    Item,
    KeyValues,
    Marked,
    Page,
    Paragraph,
    Section,
    Table,
    Verdict,
    Words,
)
from knockon.jobs.age import Ages
from knockon.jobs.locate import LocateAnswer
from knockon.terms.words import Json, Text

_KINDS: Mapping[str, Text] = {
    "requires": Text("requires", "需要"),
    "conflicts": Text("conflicts with", "冲突于"),
    "degrades": Text("degrades", "损害"),
    "mitigates": Text("mitigates the cost of", "缓解其代价"),
    "amplifies": Text("amplifies", "放大"),
    "supersedes": Text("supersedes", "取代"),
    "contrasts": Text("contrasts with", "对比于"),
    "combines": Text("combines", "可配合"),
    "joins": Text("joins", "由其组成"),
}


def data(answer: LocateAnswer, ages: Ages) -> dict[str, Json]:
    """The answer for programs: `kind` says which of the two it is."""
    match answer.place:
        case TechniquePlace() as place:
            return {"kind": "technique", **_technique_data(place, ages), "revision": answer.revision}
        case SymptomPlace() as place:
            return {"kind": "symptom", **symptom_data(place), "revision": answer.revision}


def page(answer: LocateAnswer, ages: Ages, *, language: str) -> Page:
    """The answer for people."""
    speaker = Speaker(language, ages.knowledge.catalog)
    place = answer.place
    if isinstance(place, TechniquePlace):
        blocks = _technique_page(place, speaker, ages)
    else:
        blocks = symptom_blocks(place, speaker)
    return Page([*blocks, Paragraph([dim(speaker.say(f"revision {answer.revision}", f"版本 {answer.revision}"))])])


def _technique_data(place: TechniquePlace, ages: Ages) -> dict[str, Json]:
    return {
        "asked": place.asked,
        "technique": technique_data(place.technique, ages),
        "neighbours": [
            {
                "cell": cell_data(one.cell),
                "same_cell": list(one.same_cell),
                "layer_below": list(one.layer_below),
                "layer_above": list(one.layer_above),
            }
            for one in place.neighbourhoods
        ],
        "named_by": [
            {"technique": one.technique, "relation": relation_data(one.relation, ages)} for one in place.named_by
        ],
        "contrasts": [contrast_data(one) for one in place.contrasts],
        "replacement": place.replacement.id if place.replacement else None,
        "sources": sources_data(place.sources),
    }


def _technique_page(place: TechniquePlace, speaker: Speaker, ages: Ages) -> list[Block]:
    technique = place.technique
    blocks: list[Block] = [Verdict(technique.id, "strong", speaker.of(technique.name))]
    if technique.tombstone:
        blocks.append(_removed(technique, place, speaker))
    in_part = speaker.say(" (inferred in part)", "（部分为推断）") if technique.summary_inferred else ""
    blocks.append(Paragraph(speaker.of(technique.summary).rstrip() + in_part))
    blocks.append(KeyValues(_facts(technique, speaker)))
    blocks.append(Section(speaker.say("Where it sits", "位置"), [_cells(place.neighbourhoods, speaker)]))
    if technique.shifts:
        title = speaker.say("What it gains and where the cost lands", "收益与代价落点")
        blocks.append(Section(title, [shifts_block(technique.shifts, speaker, ages)]))
    if technique.needs:
        holds = speaker.say("holds when", "成立条件：")
        needs = [
            Item([*_conditional(need.says, need.when_text, speaker, holds), *age_words(need, ages, speaker)])
            for need in technique.needs
        ]
        blocks.append(Section(speaker.say("What it needs", "前提"), [Bullets(needs)]))
    relations = [Item(_relation(one, speaker, ages)) for one in technique.relations if one.kind != "contrasts"]
    relations += [Item(_named(one, speaker, ages)) for one in place.named_by if one.relation.kind != "contrasts"]
    if relations:
        blocks.append(Section(speaker.say("How it stands to others", "与其他技术的关系"), [Bullets(relations)]))
    blocks += [contrast_section(one, speaker) for one in place.contrasts]
    blocks.append(Section(speaker.say("Sources", "来源"), [sources_block(speaker, place.sources)]))
    return blocks


def _removed(technique: Technique, place: TechniquePlace, speaker: Speaker) -> Paragraph:
    assert technique.tombstone is not None
    words: list[str | Marked] = [
        Marked(speaker.say("removed: ", "已移除："), "bad"),
        speaker.of(technique.tombstone.reason),
    ]
    if place.replacement:
        words += [speaker.say(" Use ", " 请用 "), name(place.replacement.id)]
    return Paragraph(words)


def _facts(technique: Technique, speaker: Speaker) -> list[tuple[str, Words]]:
    adds = {
        True: speaker.say("yes", "是"),
        False: speaker.say("no", "否"),
        None: speaker.say("does not apply", "不适用"),
    }
    pairs: list[tuple[str, Words]] = [
        (speaker.say("goal", "目的"), speaker.of(technique.goal)),
        (speaker.say("mechanism", "机制"), [name(technique.mechanism)]),
        (speaker.say("adds devices", "增加设备"), adds[technique.adds_devices]),
        (speaker.say("also called", "又称"), names(alias for group in technique.aliases.values() for alias in group)),
    ]
    for switch in technique.switches:
        since = speaker.say(f" since {switch.since}", f"（{switch.since} 起）") if switch.since else ""
        pairs.append((switch.engine, [name(switch.switch), since]))
    return pairs


def _cells(neighbourhoods: Sequence[Neighbourhood], speaker: Speaker) -> Table:
    rows: list[Sequence[Words]] = []
    for index, one in enumerate(neighbourhoods):
        home = dim(speaker.say(" (home)", "（归属）")) if index == 0 else ""
        cell: Words = [Marked(speaker.cell(one.cell), "strong"), home]
        around = (
            (speaker.say("same cell", "同格"), one.same_cell),
            (speaker.say("layer above", "上一层"), one.layer_above),
            (speaker.say("layer below", "下一层"), one.layer_below),
        )
        for label, found in around:
            if found or label == around[0][0]:
                rows.append([cell, [dim(label)], names(found) or [dim("—")]])
                cell = ""
    columns = [
        Column(speaker.say("stage × layer × dimension", "阶段 × 层 × 维度")),
        Column("", wraps=False),
        Column(""),
    ]
    return Table(columns, rows)


def _conditional(says: Text, when: str, speaker: Speaker, label: str) -> Words:
    return [speaker.of(says), *([dim(f" — {label} "), name(when)] if when else [])]


def _relation(relation: Relation, speaker: Speaker, ages: Ages) -> Words:
    kind = speaker.of(_KINDS.get(relation.kind, Text(relation.kind, relation.kind)))
    when = speaker.say("when", "当")
    said = _conditional(relation.says, relation.when_text, speaker, when)
    return [f"{kind} ", name(relation.to), ": ", *said, *age_words(relation, ages, speaker)]


def _named(held: RelationOf, speaker: Speaker, ages: Ages) -> Words:
    relation = held.relation
    kind = speaker.of(_KINDS.get(relation.kind, Text(relation.kind, relation.kind)))
    this, when = speaker.say("this", "本技术"), speaker.say("when", "当")
    said = _conditional(relation.says, relation.when_text, speaker, when)
    return [name(held.technique), f" {kind} {this}: ", *said, *age_words(relation, ages, speaker)]
