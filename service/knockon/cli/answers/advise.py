"""The answer of `advise`: the contract's JSON, and the page."""

from collections.abc import Mapping

from knockon.catalog.technique import Shift
from knockon.cli.answers.diagnose import data as diagnose_data
from knockon.cli.answers.diagnose import verdict_block
from knockon.cli.answers.ledger import ledger_block, ledger_data
from knockon.cli.answers.sources import cited_data, sources_block, text_data
from knockon.cli.answers.words import Speaker, arrow, dim, name, names, times
from knockon.formats.base import Block, Bullets, Item, KeyValues, Marked, Page, Paragraph, Section, Words
from knockon.jobs.advise import AdviseAnswer, Advised, Stage, stages_of
from knockon.jobs.knowledge import Knowledge
from knockon.rules.fill import shown
from knockon.terms.words import Change, Json, Text

_STAGES: Mapping[Stage, Text] = {
    "macro": Text("Parameters first", "先调参数"),
    "service": Text("Then application and service", "再看应用与服务"),
    "operator": Text("Then single operators", "最后才是单个算子"),
}


def data(answer: AdviseAnswer, knowledge: Knowledge) -> dict[str, Json]:
    """The contract's object."""
    first = answer.measure_first
    return {
        "verdict": answer.diagnosed.diagnosis.verdict,
        "walls": list(answer.walls),
        "measure_first": text_data(first) if first else None,
        "advised": [_advised_data(one, knowledge) for one in answer.advised],
        "ruled_out": [
            {"technique": one.technique.id, "why": one.why.en, "why_zh": one.why.zh} for one in answer.ruled_out
        ],
        "diagnosis": diagnose_data(answer.diagnosed, knowledge),
        "revision": answer.revision,
    }


def page(answer: AdviseAnswer, knowledge: Knowledge, *, language: str, is_verbose: bool = False) -> Page:
    """The wall, what to measure first, and the techniques stage by stage."""
    speaker = Speaker(language, knowledge.catalog)
    blocks: list[Block] = [verdict_block(answer.diagnosed, knowledge, speaker)]
    if answer.measure_first is not None:
        blocks.append(Paragraph([Marked(speaker.of(answer.measure_first), "warn")]))
    for stage, found in stages_of(answer):
        sections: list[Block] = [_advised(one, knowledge, speaker, is_verbose=is_verbose) for one in found]
        blocks.append(Section(speaker.of(_STAGES[stage]), sections))
    if answer.walls and not answer.advised:
        said = "the catalog has no technique that helps here and is not in use"
        blocks.append(Paragraph(speaker.say(said, "目录中没有此处有效且尚未使用的技术")))
    if answer.ruled_out:
        items = [Item([dim(f"{why}: "), *names(ids)]) for why, ids in _by_reason(answer, speaker).items()]
        blocks.append(Section(speaker.say("Not for this deployment", "不适用于该部署"), [Bullets(items)]))
    blocks.append(Paragraph([dim(speaker.say(f"revision {answer.revision}", f"版本 {answer.revision}"))]))
    return Page(blocks)


def _by_reason(answer: AdviseAnswer, speaker: Speaker) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in answer.ruled_out:
        found.setdefault(speaker.of(one.why), []).append(one.technique.id)
    return found


def _advised_data(one: Advised, knowledge: Knowledge) -> Json:
    catalog = knowledge.catalog
    return {
        "technique": one.technique.id,
        "name": text_data(one.technique.name),
        "stage": one.stage,
        "switch": one.switch.switch if one.switch else None,
        "set": dict(one.sets),
        "verdict": str(one.verdict) if one.verdict else None,
        "unchecked": text_data(one.unchecked) if one.unchecked else None,
        "gains": [_shift_data(shift, knowledge) for shift in one.gains],
        "costs": [_shift_data(shift, knowledge) for shift in one.costs],
        "appeared": [text_data(text) for text in one.appeared],
        "ledger": ledger_data(one.ledger, catalog),
        "sources": cited_data(catalog, one.technique.cite),
    }


def _shift_data(shift: Shift, knowledge: Knowledge) -> Json:
    return {
        "onto": shift.onto,
        "quantity": shift.quantity,
        "change": shift.change.value,
        "factor": shift.size.factor if shift.size else None,
        "says": shift.says.en,
        "says_zh": shift.says.zh,
        "sources": cited_data(knowledge.catalog, shift.cite),
    }


def _advised(one: Advised, knowledge: Knowledge, speaker: Speaker, *, is_verbose: bool) -> Section:
    pairs: list[tuple[str, Words]] = []
    if one.sets:
        said = ", ".join(f"{key}={shown(value)}" for key, value in one.sets.items())
        pairs.append((speaker.say("tried with", "试用设置"), [name(said)]))
    if one.switch is not None:
        pairs.append((speaker.say("switch", "开关"), [name(one.switch.switch)]))
    pairs += [(speaker.say("gains", "收益"), _shift(shift, speaker)) for shift in one.gains]
    pairs += [(speaker.say("costs", "代价"), _shift(shift, speaker)) for shift in one.costs]
    pairs += [(speaker.say("appears", "新增发现"), speaker.of(text)) for text in one.appeared]
    if one.unchecked is not None:
        pairs.append((speaker.say("not checked again", "未复核"), [dim(speaker.of(one.unchecked))]))
    blocks: list[Block] = [KeyValues(pairs)]
    if is_verbose:
        if one.ledger:
            blocks.append(ledger_block(one.ledger, speaker))
        blocks.append(sources_block(speaker, knowledge.catalog.sources(one.technique.cite)))
    verdict: list[str | Marked] = [dim(f" → {one.verdict}")] if one.verdict else []
    return Section([f"{speaker.of(one.technique.name)} ", dim(one.technique.id), *verdict], blocks)


def _shift(shift: Shift, speaker: Speaker) -> Words:
    direction = arrow(1 if shift.change is Change.UP else -1)
    factor = times(shift.size.factor if shift.size else None)
    moved = " ".join(part for part in (speaker.quantity(shift.quantity), direction, factor) if part)
    return [moved, dim(f" ({speaker.onto(shift.onto)}) — {speaker.of(shift.says)}")]
