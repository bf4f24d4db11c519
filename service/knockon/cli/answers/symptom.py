"""Layers behind a symptom, as the contract and the page show them."""

from collections.abc import Mapping, Sequence

from knockon.catalog.locate import LayerJudgement, Reason, SymptomPlace
from knockon.catalog.symptom import Judgement
from knockon.cli.answers.sources import sources_block, sources_data, text_data
from knockon.cli.answers.words import Speaker, dim, names
from knockon.formats.base import Block, Column, Marked, Paragraph, Section, Table, Tone, Verdict, Words
from knockon.terms.words import Json, Text

_JUDGEMENTS: Mapping[Judgement, tuple[Text, Tone]] = {
    Judgement.LIKELY: (Text("likely", "很可能"), "bad"),
    Judgement.POSSIBLE: (Text("possible", "有可能"), "warn"),
    Judgement.UNLIKELY: (Text("hardly", "不太可能"), "good"),
    Judgement.CANNOT: (Text("cannot be", "不可能"), "dim"),
}


def symptom_data(place: SymptomPlace) -> dict[str, Json]:
    """What the layers are judged by, for programs."""
    return {
        "asked": place.asked,
        "symptoms": [{"id": one.id, "name": text_data(one.name)} for one in place.symptoms],
        "combination": place.combination.id if place.combination else None,
        "layers": [
            {
                "layer": one.layer,
                "judgement": one.judgement.value,
                "reasons": [_reason_data(reason) for reason in one.reasons],
            }
            for one in place.layers
        ],
        "suspects": list(place.suspects),
        "cleared": list(place.cleared),
        "not_judged": list(place.not_judged),
        "measure": list(place.measure),
        "not_understood": list(place.not_understood),
    }


def _reason_data(reason: Reason) -> Json:
    return {
        "symptom": reason.symptom,
        "judgement": reason.judgement.value,
        "says": reason.says.en,
        "says_zh": reason.says.zh,
        "inferred": reason.inferred,
        "sources": sources_data(reason.sources),
    }


def symptom_blocks(place: SymptomPlace, speaker: Speaker) -> list[Block]:
    """What the layers are judged by, for people."""
    suspects, cleared = place.suspects, place.cleared
    look = speaker.say("look at ", "请看 ") + speaker.listed(suspects) if suspects else ""
    leave = speaker.say("leave ", "不必看 ") + speaker.listed(cleared) if cleared else ""
    said = speaker.say("; ", "；").join(part for part in (look, leave) if part)
    seen = speaker.say(" + ", " + ").join(speaker.of(one.name) for one in place.symptoms)
    blocks: list[Block] = [Verdict(seen, "strong", said)]
    if place.combination:
        together = speaker.of(place.combination.name)
        blocks.append(Paragraph(speaker.say(f"Known together as: {together}.", f"合在一起即：{together}。")))
    columns = [
        Column(speaker.say("layer", "层")),
        Column(speaker.say("cause?", "原因？"), wraps=False),
        Column(speaker.say("because", "理由")),
    ]
    blocks.append(Table(columns, [_layer(one, speaker) for one in place.layers]))
    if place.measure:
        blocks.append(Section(speaker.say("Measure to confirm", "用测量确认"), [Paragraph(names(place.measure))]))
    if place.not_judged:
        layers = speaker.listed(speaker.layer(layer) for layer in place.not_judged)
        blocks.append(Paragraph(speaker.say(f"Nothing is known of {layers}.", f"对 {layers} 没有依据。")))
    if place.not_understood:
        unclear = speaker.listed(f"“{clause}”" for clause in place.not_understood)
        blocks.append(Paragraph(speaker.say(f"Not understood: {unclear}.", f"未能理解：{unclear}。")))
    cited = dict.fromkeys(source for one in place.layers for reason in one.reasons[:1] for source in reason.sources)
    if cited:
        blocks.append(Section(speaker.say("Sources", "来源"), [sources_block(speaker, cited)]))
    return blocks


def _layer(judged: LayerJudgement, speaker: Speaker) -> Sequence[Words]:
    said, tone = _JUDGEMENTS[judged.judgement]
    first = judged.reasons[0]
    inferred = dim(speaker.say(" (inferred)", "（推断）")) if first.inferred else ""
    return [speaker.layer(judged.layer), [Marked(speaker.of(said), tone)], [speaker.of(first.says), inferred]]
