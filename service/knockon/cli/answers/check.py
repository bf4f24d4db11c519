"""The answer of `check`: the contract's JSON, and the page."""

from collections.abc import Iterator, Sequence

from knockon.catalog.catalog import Catalog
from knockon.cli.answers.bad_input import bad_input_data, bad_input_section
from knockon.cli.answers.by_release import (
    by_release_data,
    other_releases_data,
    other_releases_section,
    releases_line,
)
from knockon.cli.answers.effective import effective_data, effective_section
from knockon.cli.answers.facts import (
    facts_block,
    facts_data,
    refused_block,
    refused_data,
    sizing_block,
    sizing_data,
    techniques_data,
    unknown_flags_block,
    unknown_flags_data,
)
from knockon.cli.answers.ledger import ledger_block, ledger_data
from knockon.cli.answers.places import place_data
from knockon.cli.answers.sources import cited_data, evidence_data, sources_block, text_data
from knockon.cli.answers.wayout import nearest_data, nearest_section, settings_data, settings_line
from knockon.cli.answers.words import TONES, Speaker, dim, name, names, number, times
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
from knockon.jobs.check import CheckAnswer, CheckedFinding, CheckedFix
from knockon.jobs.knowledge import Knowledge
from knockon.rules.couple import DerivationStep, Undecided
from knockon.terms.words import CheckVerdict, Json


def data(answer: CheckAnswer, knowledge: Knowledge) -> dict[str, Json]:
    """The contract's object."""
    deployment, catalog = answer.deployment, knowledge.catalog
    return {
        "verdict": answer.verdict.value,
        "findings": [_finding_data(one, catalog) for one in answer.findings],
        "cannot_tell": [_undecided_data(one) for one in answer.cannot_tell],
        "other_releases": other_releases_data(answer.other_releases),
        "not_asked": [_undecided_data(one) for one in answer.not_asked],
        "techniques": techniques_data(answer.techniques),
        "sizing": sizing_data(deployment.sizing),
        "ledger": ledger_data(answer.ledger, catalog),
        "nearest": nearest_data(answer.nearest, catalog),
        "facts": facts_data(deployment, knowledge.rulebook.vocabulary),
        "effective": effective_data(answer.effective, catalog, knowledge.rulebook.vocabulary),
        "unknown_flags": unknown_flags_data(deployment),
        "refused": refused_data(answer.refused),
        "problems": bad_input_data(deployment.bad_input),
        "notes": [text_data(note) for note in deployment.notes],
        "revision": answer.revision,
    }


def page(
    answer: CheckAnswer,
    knowledge: Knowledge,
    *,
    language: str,
    is_verbose: bool = False,
    accepted: Sequence[str] = (),
) -> Page:
    """The verdict first, then each finding with its way out, then what else is known of the deployment.

    Args:
        answer: what to show.
        knowledge: what it was asked of.
        language: "en" or "zh".
        is_verbose: show every fact too.
        accepted: for each finding why it does not count, empty where it does.
    """
    speaker = Speaker(language, knowledge.catalog)
    deployment = answer.deployment
    blocks: list[Block] = [_verdict(answer, speaker)]
    blocks += _about_input(answer, speaker)
    said = [*accepted, *[""] * (len(answer.findings) - len(accepted))]
    blocks += [_finding(one, speaker, why) for one, why in zip(answer.findings, said, strict=True)]
    if answer.nearest:
        blocks.append(nearest_section(answer.nearest, speaker))
    if answer.other_releases:
        blocks.append(other_releases_section(answer.other_releases, speaker))
    if answer.cannot_tell:
        blocks.append(_cannot_tell(answer.cannot_tell, speaker))
    vocabulary = knowledge.rulebook.vocabulary
    runs = effective_section(answer.effective, vocabulary, speaker, is_verbose=is_verbose)
    if runs is not None:
        blocks.append(runs)
    blocks.append(Section(speaker.say("Size", "尺寸"), [sizing_block(deployment.sizing, speaker)]))
    if answer.ledger:
        blocks.append(Section(speaker.say("Ledger", "收支"), [ledger_block(answer.ledger, speaker)]))
    if is_verbose:
        table = facts_block(deployment, vocabulary, speaker)
        blocks.append(Section(speaker.say("Facts", "事实"), [table]))
    blocks.append(Paragraph([dim(speaker.say(f"revision {answer.revision}", f"版本 {answer.revision}"))]))
    return Page(blocks)


def _about_input(answer: CheckAnswer, speaker: Speaker) -> Iterator[Block]:
    """What was given and not known, what was noted of it, and what the engine refuses of it."""
    deployment = answer.deployment
    if deployment.bad_input:
        yield bad_input_section(deployment.bad_input, speaker)
    if deployment.notes:
        yield Bullets([Item(speaker.of(note)) for note in deployment.notes])
    if deployment.unknown_flags and not deployment.bad_input:
        title = speaker.say("Flags that are not known", "未知参数")
        yield Section(title, [unknown_flags_block(deployment, speaker)])
    if answer.refused:
        title = speaker.say("What the engine will not start with", "引擎拒绝启动的设置")
        yield Section(title, [refused_block(answer.refused, speaker)])


def _finding_data(checked: CheckedFinding, catalog: Catalog) -> Json:
    finding = checked.finding
    return {
        "rule": finding.rule.id,
        "verdict": finding.verdict.value,
        "name": finding.rule.name.en,
        "says": finding.says.en,
        "says_zh": finding.says.zh,
        "because": list(finding.rule.because),
        "evidence": evidence_data(finding.evidence),
        "derivation": [
            {
                "name": step.name,
                "expression": step.expression,
                "value": step.value,
                "unit": step.unit,
                "from": step.origin,
                "says": step.says.en,
                "says_zh": step.says.zh,
            }
            for step in finding.derivation
        ],
        "shifts": [
            {"from": one.gains, "onto": one.onto, "quantity": one.quantity, "factor": one.factor}
            for one in finding.shifts
        ],
        "by_release": by_release_data(checked.by_release),
        "settings": settings_data(checked.settings),
        "fixes": [_fix_data(fix) for fix in checked.fixes],
        "remarks": [remark.en for remark in finding.remarks],
        "sources": cited_data(catalog, finding.rule.cite),
        "at": place_data(finding.at),
    }


def _fix_data(fix: CheckedFix) -> Json:
    offered = fix.offered
    return {
        "technique": offered.technique,
        "set": dict(offered.sets),
        "range": list(offered.range) if offered.range else None,
        "knock_on": [text.en for text in fix.knock_on],
        "says": offered.says.en,
        "says_zh": offered.says.zh,
        "knock_on_zh": [text.zh for text in fix.knock_on],
        "verdict": fix.verdict.value,
    }


def _undecided_data(undecided: Undecided) -> Json:
    return {"rule": undecided.rule.id, "needs": list(undecided.needs)}


def _verdict(answer: CheckAnswer, speaker: Speaker) -> Verdict:
    counted = [
        (sum(one.finding.verdict is verdict for one in answer.findings), verdict)
        for verdict in (CheckVerdict.CONFLICT, CheckVerdict.DEGRADED, CheckVerdict.NOTE)
    ]
    parts = [_count(count, verdict, speaker) for count, verdict in counted if count]
    if answer.deployment.bad_input:
        count = len(answer.deployment.bad_input)
        plural = "s" if count > 1 else ""
        parts.append(speaker.say(f"{count} name{plural} not known", f"{count} 个名称不认识"))
    if answer.refused:
        count = len(answer.refused)
        plural = "s" if count > 1 else ""
        parts.insert(0, speaker.say(f"{count} setting{plural} refused", f"{count} 项设置被拒绝"))
    if answer.cannot_tell:
        count = len(answer.cannot_tell)
        plural = "s" if count > 1 else ""
        parts.append(speaker.say(f"{count} rule{plural} cannot be told", f"{count} 条规则无法判断"))
    if not parts:
        parts.append(speaker.say("every rule that applies was decided", "所有适用的规则都已判定"))
    return Verdict(speaker.verdict(answer.verdict), TONES[answer.verdict], speaker.listed(parts))


def _count(count: int, verdict: CheckVerdict, speaker: Speaker) -> str:
    words = {
        CheckVerdict.CONFLICT: ("conflict", "项冲突"),
        CheckVerdict.DEGRADED: ("degradation", "项受损"),
        CheckVerdict.NOTE: ("note", "项提示"),
    }
    en, zh = words[verdict]
    return speaker.say(f"{count} {en}{'s' if count > 1 else ''}", f"{count} {zh}")


def _finding(checked: CheckedFinding, speaker: Speaker, accepted: str) -> Section:
    finding = checked.finding
    title: list[str | Marked] = [
        f"{finding.rule.id} {speaker.of(finding.rule.name)} — ",
        Marked(speaker.verdict(finding.verdict), TONES[finding.verdict]),
    ]
    if finding.at:
        title.append(dim(f" ({finding.at})"))
    if accepted:
        title.append(f" — {accepted}")
    blocks: list[Block] = [Paragraph(speaker.of(finding.says))]
    if checked.by_release is not None:
        blocks.append(Paragraph(releases_line(checked.by_release, speaker)))
    if len(checked.settings) > 1:
        blocks.append(Paragraph(settings_line(checked.settings, speaker)))
    if finding.derivation:
        blocks.append(Section(speaker.say("Step by step", "推导"), [_derivation(finding.derivation, speaker)]))
    if finding.shifts:
        rows: list[Sequence[Words]] = [
            [f"{speaker.onto(one.gains)} → {speaker.onto(one.onto)}", speaker.quantity(one.quantity), times(one.factor)]
            for one in finding.shifts
        ]
        columns = [Column("", wraps=False), Column(""), Column("", wraps=False)]
        blocks.append(Section(speaker.say("Where the cost lands", "代价落在"), [Table(columns, rows)]))
    if checked.fixes:
        items = [_fix(fix, speaker) for fix in checked.fixes]
        title_fixes = speaker.say("What to do", "对策")
        blocks.append(Section(title_fixes, [Bullets(items, is_numbered=len(items) > 1)]))
    if finding.remarks:
        remarks = Bullets([Item(speaker.of(remark)) for remark in finding.remarks])
        blocks.append(Section(speaker.say("Note", "注意"), [remarks]))
    sources = sources_block(speaker, speaker.catalog.sources(finding.rule.cite))
    blocks.append(Section(speaker.say("Sources", "来源"), [sources]))
    return Section(title, blocks)


def _derivation(steps: Sequence[DerivationStep], speaker: Speaker) -> Bullets:
    return Bullets(
        [
            Item([speaker.of(step.says), *([dim(f" ← {step.origin}")] if step.origin != "derived" else [])])
            for step in steps
        ],
        is_numbered=True,
    )


def _fix(fix: CheckedFix, speaker: Speaker) -> Item:
    offered = fix.offered
    pairs: list[tuple[str, Words]] = []
    if offered.sets:
        pairs.append((speaker.say("set", "设置"), _sets(fix, speaker)))
        verdict = Marked(speaker.verdict(fix.verdict), TONES[fix.verdict])
        pairs.append((speaker.say("then", "之后"), [speaker.say("this check says ", "本检查结论为 "), verdict]))
    pairs += [(speaker.say("price", "代价"), speaker.of(text)) for text in fix.knock_on]
    return Item(speaker.of(offered.says), [KeyValues(pairs)] if pairs else [])


def _sets(fix: CheckedFix, speaker: Speaker) -> Words:
    offered = fix.offered
    words: list[str | Marked] = []
    for fact, value in offered.sets.items():
        words += [*([", "] if words else []), name(f"{fact}={number(value)}")]
    if offered.range:
        low, high = (number(bound) for bound in offered.range)
        words.append(speaker.say(f"  (valid range [{low}, {high}])", f"（有效范围 [{low}, {high}]）"))
    return words


def _cannot_tell(undecided: Sequence[Undecided], speaker: Speaker) -> Section:
    rows: list[Sequence[Words]] = [
        [[Marked(one.rule.id, "strong")], speaker.of(one.rule.name), names(one.needs)] for one in undecided
    ]
    columns = [
        Column(speaker.say("rule", "规则"), wraps=False),
        Column(speaker.say("about", "内容")),
        Column(speaker.say("needs (give with --set, --model, --gpu)", "需要（用 --set、--model、--gpu 给出）")),
    ]
    return Section(speaker.say("Cannot tell", "无法判断"), [Table(columns, rows)])
