"""Rules as `rules list`, `rules show` and `rules test` answer with them."""

from collections.abc import Sequence

from knockon.cli.answers.ages import age_data, age_words
from knockon.cli.answers.places import place_data
from knockon.cli.answers.sources import cited_data, sources_block, text_data
from knockon.cli.answers.words import TONES, Speaker, dim, name, names
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
    Tone,
    Verdict,
    Words,
)
from knockon.jobs.age import Ages
from knockon.jobs.knowledge import Knowledge
from knockon.rules.examples import UNSUPPORTED, ExampleResult
from knockon.rules.rule import CoupleRule, DiagnoseRule, Fix
from knockon.terms.place import Position
from knockon.terms.words import Json, Text

Rule = CoupleRule | DiagnoseRule


def listed_data(rules: Sequence[Rule], knowledge: Knowledge) -> dict[str, Json]:
    """Every rule in short."""
    return {
        "rules": [
            {
                "id": rule.id,
                "kind": "couple" if isinstance(rule, CoupleRule) else "diagnose",
                "says": _outcome(rule),
                "name": text_data(rule.name),
                "when": rule.when_text,
            }
            for rule in rules
        ],
        "revision": knowledge.revision,
    }


def listed_page(rules: Sequence[Rule], speaker: Speaker) -> Page:
    """Every rule in a row."""
    rows: list[Sequence[Words]] = [
        [[Marked(rule.id, "strong")], [Marked(_outcome(rule), _tone(rule))], speaker.of(rule.name)] for rule in rules
    ]
    columns = [
        Column(speaker.say("rule", "规则"), wraps=False),
        Column(speaker.say("verdict or wall", "结论或瓶颈"), wraps=False),
        Column(speaker.say("about", "内容")),
    ]
    return Page([Table(columns, rows)])


def shown_data(rule: Rule, ages: Ages) -> dict[str, Json]:
    """One rule in full."""
    common: dict[str, Json] = {
        "id": rule.id,
        "kind": "couple" if isinstance(rule, CoupleRule) else "diagnose",
        "name": text_data(rule.name),
        "when": rule.when_text,
        "says": text_data(rule.says),
        "examples": [
            {"name": example.name, "given": dict(example.given), "expect": example.expect} for example in rule.examples
        ],
        "checked": rule.checked,
        **age_data(rule, ages),
        "sources": cited_data(ages.knowledge.catalog, rule.cite),
    }
    if isinstance(rule, CoupleRule):
        special: dict[str, Json] = {
            "verdict": rule.verdict.value,
            "because": list(rule.because),
            "derive": [{"name": step.name, "value": step.value_text, "unit": step.unit} for step in rule.derive],
            "shifts": [
                {"from": one.gains, "onto": one.onto, "quantity": one.quantity, "factor": one.factor_text}
                for one in rule.shifts
            ],
            "fixes": [{"technique": fix.technique, "says": text_data(fix.says)} for fix in rule.fixes],
            "asked_with": list(rule.asked_with),
            "remarks": [text_data(remark) for remark in rule.remarks],
        }
    else:
        special = {
            "wall": rule.wall,
            "layer": rule.layer,
            "dimension": rule.dimension,
            "observes": list(rule.observes),
            "told_apart_by": list(rule.told_apart_by),
            "outranks": list(rule.outranks),
            "confidence": rule.confidence,
            "confirm": text_data(rule.confirm),
            "advice": [text_data(text) for text in rule.advice],
        }
    return {**common, **special, "revision": ages.knowledge.revision}


def shown_page(rule: Rule, ages: Ages, *, language: str) -> Page:
    """One rule from top to bottom."""
    speaker = Speaker(language, ages.knowledge.catalog)
    blocks: list[Block] = [
        Verdict(
            rule.id,
            "strong",
            [speaker.of(rule.name), " — ", Marked(_outcome(rule), _tone(rule)), *age_words(rule, ages, speaker)],
        ),
        Section(speaker.say("Fires when", "触发条件"), [Paragraph([name(rule.when_text)])]),
        Section(speaker.say("Says", "结论"), [Paragraph(speaker.of(rule.says))]),
    ]
    if isinstance(rule, CoupleRule):
        blocks += _couple_blocks(rule, speaker)
    else:
        blocks += _diagnose_blocks(rule, speaker)
    rows: list[Sequence[Words]] = [
        [example.name, [Marked(example.expect, "strong")], ", ".join(f"{k}={v}" for k, v in example.given.items())]
        for example in rule.examples
    ]
    columns = [
        Column(speaker.say("example", "示例")),
        Column(speaker.say("expects", "期望"), wraps=False),
        Column(speaker.say("given", "给定")),
    ]
    blocks.append(Section(speaker.say("Examples", "示例"), [Table(columns, rows)]))
    sources = sources_block(speaker, ages.knowledge.catalog.sources(rule.cite))
    return Page([*blocks, Section(speaker.say("Sources", "来源"), [sources])])


def tested_data(results: Sequence[ExampleResult], places: Sequence[Position]) -> dict[str, Json]:
    """What every example did, in numbers; failures one by one, with the place of each in `places`."""
    failed = [one for one in results if not one.passed]
    return {
        "verdict": "failed" if failed else "passed",
        "count": len(results),
        "unsupported": sum(one.got == UNSUPPORTED for one in results),
        "failed": [
            {
                "rule": one.rule.id,
                "example": one.example.name,
                "at": place_data(at),
                "expect": one.example.expect,
                "got": one.got,
                "given": dict(one.example.given),
            }
            for one, at in zip(failed, places, strict=True)
        ],
    }


def tested_page(results: Sequence[ExampleResult], places: Sequence[Position], *, language: str) -> Page:
    """Failures first, with the place of each in `places`, then how many examples of how many rules held."""

    def say(en: str, zh: str) -> str:
        return Text(en, zh).in_language(language)

    failed = [one for one in results if not one.passed]
    rules = len({one.rule.id for one in results})
    counted = say(f"{len(results)} examples of {rules} rules", f"{rules} 条规则的 {len(results)} 个示例")
    if wordless := sum(one.got == UNSUPPORTED for one in results):
        counted += say(f"; the back-end has no words for {wordless}", f"；其中 {wordless} 个该后端无法表达")
    if not failed:
        return Page([Verdict(say("passed", "通过"), "good", counted)])
    rows: list[Sequence[Words]] = [
        [
            str(at),
            one.example.name,
            one.example.expect,
            [Marked(one.got, "bad")],
            ", ".join(f"{key}={value}" for key, value in one.example.given.items()),
        ]
        for one, at in zip(failed, places, strict=True)
    ]
    columns = [
        Column(say("example of a rule", "规则示例"), wraps=False),
        Column(say("is called", "名称")),
        Column(say("expects", "期望"), wraps=False),
        Column(say("does", "实际"), wraps=False),
        Column(say("given", "给定")),
    ]
    said = say(f"{len(failed)} of {counted}", f"{counted}中有 {len(failed)} 个不符")
    return Page([Table(columns, rows), Verdict(say("failed", "未通过"), "bad", said)])


def _outcome(rule: Rule) -> str:
    return rule.verdict.value if isinstance(rule, CoupleRule) else rule.wall


def _tone(rule: Rule) -> Tone:
    return TONES[rule.verdict] if isinstance(rule, CoupleRule) else "name"


def _couple_blocks(rule: CoupleRule, speaker: Speaker) -> list[Block]:
    blocks: list[Block] = []
    if rule.derive:
        pairs: list[tuple[str, Words]] = [
            (step.name, [name(step.value_text), dim(f" — {speaker.of(step.says)}")]) for step in rule.derive
        ]
        blocks.append(Section(speaker.say("Derives", "推导"), [KeyValues(pairs)]))
    if rule.fixes:
        items = [Item(_fix(fix, speaker)) for fix in rule.fixes]
        blocks.append(Section(speaker.say("What to do", "对策"), [Bullets(items, is_numbered=len(items) > 1)]))
    pairs = [(speaker.say("because of", "起因"), names(rule.because))]
    if rule.asked_with:
        pairs.append((speaker.say("asked only with", "仅在给出时才问"), names(rule.asked_with)))
    blocks.append(KeyValues(pairs))
    return blocks


def _fix(fix: Fix, speaker: Speaker) -> Words:
    return [speaker.of(fix.says), *([dim(" ← "), name(fix.technique)] if fix.technique else [])]


def _diagnose_blocks(rule: DiagnoseRule, speaker: Speaker) -> list[Block]:
    pairs: list[tuple[str, Words]] = [
        (speaker.say("wall", "瓶颈"), [name(rule.wall)]),
        (speaker.say("layer", "层"), speaker.layer(rule.layer)),
        (speaker.say("dimension", "维度"), speaker.onto(rule.dimension)),
        (speaker.say("observes", "依据读数"), names(rule.observes)),
    ]
    if rule.told_apart_by:
        pairs.append((speaker.say("told apart by one of", "须知其一方可断定"), names(rule.told_apart_by)))
    if rule.outranks:
        pairs.append((speaker.say("outranks", "优先于"), names(rule.outranks)))
    pairs.append((speaker.say("to confirm", "如何确认"), speaker.of(rule.confirm)))
    pairs += [(speaker.say("advice", "建议"), speaker.of(text)) for text in rule.advice]
    return [KeyValues(pairs)]
