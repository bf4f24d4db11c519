"""The answer of `diagnose`: the contract's JSON, and the page."""

from collections.abc import Iterator, Mapping, Sequence

from knockon.backends.python.reasons import Atom
from knockon.cli.answers.coverage import coverage_section
from knockon.cli.answers.expectation import expectation_data, expectation_section
from knockon.cli.answers.history import kept_data, kept_paragraph
from knockon.cli.answers.over_time import over_time_data, over_time_section
from knockon.cli.answers.resemblance import resemblance_data, resemblance_section
from knockon.cli.answers.sources import cited_data, evidence_data, sources_block, text_data
from knockon.cli.answers.words import Speaker, counted, dim, name, names
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
from knockon.jobs.diagnose import DiagnoseAnswer
from knockon.jobs.knowledge import Knowledge
from knockon.rules.fill import shown
from knockon.rules.hierarchy import AMBIGUOUS, HEALTHY, INSUFFICIENT, SPEAK_MIN
from knockon.rules.hypothesis import Hypothesis
from knockon.rules.missing import Lack
from knockon.store.run import KeptRun
from knockon.terms.reading import Reading
from knockon.terms.words import Json, Text, WallId

_NO_WALL: Mapping[str, tuple[Text, Tone, Text]] = {
    HEALTHY: (
        Text("healthy", "健康"),
        "good",
        Text("every wall was looked at and none is hit", "已检查所有瓶颈，均未触及"),
    ),
    AMBIGUOUS: (
        Text("ambiguous", "不明确"),
        "warn",
        Text("two walls explain the readings about equally well", "两种瓶颈对读数的解释力相当"),
    ),
    INSUFFICIENT: (
        Text("insufficient_data", "数据不足 insufficient_data"),
        "dim",
        Text(
            "cannot tell; what is missing is listed below, most telling first", "无法判断；缺失项见下，最能决定者在前"
        ),
    ),
}


_MISSING_SHOWN_MAX = 12
"""Readings to measure next that are shown unless all are asked for: nobody measures more at once."""


def data(answer: DiagnoseAnswer, knowledge: Knowledge, *, kept: KeptRun | None = None) -> dict[str, Json]:
    """The contract's object; `kept` is the run it was kept as."""
    diagnosis, catalog = answer.diagnosis, knowledge.catalog
    said: dict[str, Json] = {
        "verdict": diagnosis.verdict,
        "finest": diagnosis.finest,
        "between": list(diagnosis.between),
        "hypotheses": [_hypothesis_data(one, knowledge) for one in diagnosis.hypotheses],
        "outranked": [
            {"rule": one.rule.id, "wall": one.rule.wall, "by": one.by, "says": one.rule.name.en}
            for one in diagnosis.outranked
        ],
        "missing": [_lack_data(one) for one in diagnosis.missing],
        "invalid": [_reading_data(one) for one in answer.intake.invalid],
        "not_measured": [_reading_data(one) for one in answer.intake.missing],
        "readings": [
            {"reading": one.name, "value": one.value, "from": one.origin}
            for _, one in sorted(answer.intake.observed.items())
        ],
        "over_time": over_time_data(answer.over_time, answer.intake),
        "resemblance": resemblance_data(answer.resemblance),
        "expectation": expectation_data(answer.expectation),
        "coverage": dict(answer.coverage.ratios),
        "coverage_absent": {part.name: list(part.absent) for part in answer.coverage.classes},
        "coverage_warning": answer.coverage.warning,
        "operator_gate": {
            "open": diagnosis.gate.open,
            "why": diagnosis.gate.why.en,
            "why_zh": diagnosis.gate.why.zh,
        },
        "advice": [
            {"rule": one.rule.id, "says": text.en, "says_zh": text.zh}
            for one in diagnosis.hypotheses
            for text in one.rule.advice
        ],
        "profile": {
            "name": answer.profile.name,
            "calibrated": answer.profile.calibrated,
            "fits": answer.fit.truth.value,
            "thresholds": [
                {
                    "name": key,
                    "value": held.threshold.value,
                    "unit": held.threshold.unit,
                    "provenance": held.threshold.provenance,
                    "checked": held.threshold.checked,
                    "samples": held.threshold.samples,
                    "interval": list(held.threshold.interval) if held.threshold.interval else None,
                    "profile": held.profile,
                    "sources": cited_data(catalog, held.threshold.cite),
                }
                for key, held in sorted(answer.thresholds.items())
            ],
        },
        "notes": [text_data(note) for note in answer.notes],
        "revision": answer.revision,
    }
    return said if kept is None else {**said, "kept": kept_data(kept)}


def page(
    answer: DiagnoseAnswer,
    knowledge: Knowledge,
    *,
    language: str,
    is_verbose: bool = False,
    kept: KeptRun | None = None,
) -> Page:
    """The verdict, the evidence behind it, and what to measure next; every reading and threshold where asked for."""
    speaker = Speaker(language, knowledge.catalog)
    diagnosis = answer.diagnosis
    blocks: list[Block] = [verdict_block(answer, knowledge, speaker)]
    if answer.notes:
        blocks.append(Bullets([Item(speaker.of(note)) for note in answer.notes]))
    blocks += [_hypothesis(one, knowledge, speaker) for one in diagnosis.hypotheses]
    if diagnosis.outranked:
        items = [Item(_outranked(one.rule.id, one.rule.name, one.by, speaker)) for one in diagnosis.outranked]
        blocks.append(Section(speaker.say("Overruled", "被否决的判断"), [Bullets(items)]))
    blocks += _beyond_rules(answer, knowledge, speaker, is_verbose=is_verbose)
    gate = diagnosis.gate
    state = Marked(speaker.say("open", "开启"), "good") if gate.open else Marked(speaker.say("closed", "关闭"), "warn")
    blocks.append(
        Section(
            [speaker.say("May operators be tuned? ", "可以做算子优化吗？"), state], [Paragraph(speaker.of(gate.why))]
        )
    )
    if diagnosis.missing:
        title = speaker.say("Measure next", "接下来测量")
        asked = _missing(diagnosis.missing, answer, knowledge, speaker, is_verbose=is_verbose)
        blocks.append(Section(title, asked))
    if answer.intake.invalid:
        title = speaker.say("Readings that are not used", "未采用的读数")
        blocks.append(Section(title, [_readings(answer.intake.invalid, speaker)]))
    if answer.intake.missing:
        title = speaker.say("Readings without a value", "没有取值的读数")
        blocks.append(Section(title, [_readings(answer.intake.missing, speaker)]))
    blocks.append(coverage_section(answer.coverage, speaker))
    blocks.append(_profile(answer, speaker))
    if is_verbose:
        blocks.append(Section(speaker.say("Readings", "读数"), [_observations(answer, speaker)]))
        blocks.append(Section(speaker.say("Thresholds", "阈值"), [_thresholds(answer, speaker)]))
    if kept is not None:
        blocks.append(kept_paragraph(kept, speaker))
    blocks.append(Paragraph([dim(speaker.say(f"revision {answer.revision}", f"版本 {answer.revision}"))]))
    return Page(blocks)


def _beyond_rules(
    answer: DiagnoseAnswer, knowledge: Knowledge, speaker: Speaker, *, is_verbose: bool
) -> Iterator[Block]:
    """What like reports, the course of time and a roofline say."""
    if answer.resemblance is not None:
        yield resemblance_section(answer.resemblance, knowledge, speaker)
    if answer.over_time is not None:
        yield over_time_section(answer.over_time, answer.intake, speaker)
    if answer.deployment is not None or answer.expectation.band is not None:
        yield expectation_section(answer.expectation, speaker, is_verbose=is_verbose)


def _hypothesis_data(one: Hypothesis, knowledge: Knowledge) -> Json:
    return {
        "rule": one.rule.id,
        "kind": one.rule.kind,
        "wall": one.wall,
        "confidence": one.confidence,
        "layer": one.rule.layer,
        "dimension": one.rule.dimension,
        "says": one.says.en,
        "says_zh": one.says.zh,
        "observations": [{"reading": seen.name, "value": seen.value, "from": seen.origin} for seen in one.observations],
        "for": evidence_data(one.for_),
        "against": evidence_data(one.against),
        "not_checked": list(one.not_checked),
        "doubts": [text_data(doubt) for doubt in one.doubts],
        "confirm": one.rule.confirm.en,
        "confirm_zh": one.rule.confirm.zh,
        "refute": one.rule.refute.en if one.rule.refute else "",
        "refute_zh": one.rule.refute.zh if one.rule.refute else "",
        "sources": cited_data(knowledge.catalog, one.rule.cite),
    }


def _lack_data(one: Lack) -> Json:
    return {
        "reading": one.name,
        "class": one.checklist,
        "decides": list(one.decides),
        "how": dict(one.how),
        "separates": list(one.separates),
    }


def _reading_data(reading: Reading) -> Json:
    return {"reading": reading.name, "value": reading.raw, "why": reading.why, "from": reading.origin}


def verdict_block(answer: DiagnoseAnswer, knowledge: Knowledge, speaker: Speaker) -> Verdict:
    """The wall in words, or why there is none."""
    diagnosis = answer.diagnosis
    between = _between(diagnosis.between, knowledge, speaker)
    if diagnosis.verdict in _NO_WALL:
        word, tone, says = _NO_WALL[diagnosis.verdict]
        told = diagnosis.hypotheses[0].says if diagnosis.verdict == HEALTHY and diagnosis.hypotheses else says
        return Verdict(speaker.of(word), tone, f"{speaker.of(told)}{between}")
    wall = knowledge.rulebook.walls.get(diagnosis.finest or WallId(diagnosis.verdict))
    best = diagnosis.hypotheses[0]
    said = speaker.of(wall.name) if wall else diagnosis.verdict
    where = f"{speaker.layer(best.rule.layer)}, {speaker.onto(best.rule.dimension)}"
    sure = speaker.say(f"confidence {best.confidence:.0%}", f"置信度 {best.confidence:.0%}")
    return Verdict(diagnosis.verdict, "bad", f"{said} ({where}; {sure}){between}")


def _between(walls: Sequence[WallId], knowledge: Knowledge, speaker: Speaker) -> str:
    """The walls that cannot be told apart, by their names."""
    known = knowledge.rulebook.walls
    said = [speaker.of(known[wall].name) for wall in walls if wall in known]
    return speaker.say(f": {' or '.join(said)}", f"：{' 或 '.join(said)}") if said else ""


def _hypothesis(one: Hypothesis, knowledge: Knowledge, speaker: Speaker) -> Section:
    rule = one.rule
    title: list[str | Marked] = [
        f"{rule.id} {speaker.of(rule.name)} — ",
        Marked(one.wall, "good" if one.wall == HEALTHY else "bad" if one.confidence >= SPEAK_MIN else "dim"),
        dim(f" {one.confidence:.0%}"),
    ]
    seen = [Item(_observed(item.name, item.value, item.origin, speaker)) for item in one.observations]
    blocks: list[Block] = [
        Paragraph(speaker.of(one.says)),
        Section(speaker.say("Seen", "依据"), [Bullets(seen)]),
    ]
    pairs: list[tuple[str, Words]] = []
    if one.for_:
        pairs.append((speaker.say("for", "支持"), _atoms(one.for_)))
    if one.against:
        pairs.append((speaker.say("against", "反对"), _atoms(one.against)))
    if one.not_checked:
        pairs.append((speaker.say("not checked", "未核查"), names(one.not_checked)))
    if one.doubts:
        told = speaker.say("; ", "；").join(speaker.of(doubt) for doubt in one.doubts)
        pairs.append((speaker.say("less sure", "降低置信"), told))
    pairs.append((speaker.say("to confirm", "如何确认"), speaker.of(rule.confirm)))
    if rule.refute:
        pairs.append((speaker.say("refuted when", "如何否定"), speaker.of(rule.refute)))
    pairs += [(speaker.say("advice", "建议"), speaker.of(text)) for text in rule.advice]
    blocks.append(KeyValues(pairs))
    blocks.append(
        Section(speaker.say("Sources", "来源"), [sources_block(speaker, knowledge.catalog.sources(rule.cite))])
    )
    return Section(title, blocks)


def _observed(reading: str, value: object, origin: str, speaker: Speaker) -> Words:
    if value is None:
        return [name(reading), Marked(speaker.say(" was not measured", " 未测量"), "warn")]
    assert isinstance(value, bool | int | float | str)
    return [name(reading), f" = {shown(value)}", dim(f" ← {origin}")]


def _atoms(atoms: Sequence[Atom]) -> list[str | Marked]:
    """Each comparison as it is written, and once more in numbers: `a < threshold.b (0.4 < 0.5)`."""
    words: list[str | Marked] = []
    for atom in atoms:
        numbers = atom.text
        # Longest names first: one name may be the beginning of another.
        for seen in sorted(atom.seen, key=len, reverse=True):
            numbers = numbers.replace(seen, shown(atom.seen[seen]))
        words += [*([", "] if words else []), name(atom.text), dim(f" ({numbers})" if numbers != atom.text else "")]
    return words


def _outranked(rule: str, about: Text, by: str, speaker: Speaker) -> Words:
    return [f"{rule} {speaker.of(about)}", dim(speaker.say(f" — {by} explains it better", f" — {by} 的解释更好"))]


def _engine_of(answer: DiagnoseAnswer) -> str | None:
    """The engine in use: of the readings, else of the deployment."""
    stated = answer.facts.get("engine")
    return answer.engine or (str(stated.value) if stated else None)


def _missing(
    lacks: Sequence[Lack], answer: DiagnoseAnswer, knowledge: Knowledge, speaker: Speaker, *, is_verbose: bool
) -> list[Block]:
    engine = _engine_of(answer)
    named = knowledge.rulebook.vocabulary.get("engine")
    others = frozenset(named.options if named else ()) - {engine} if engine else frozenset()
    rules = [Column(speaker.say("decides", "可判定"))] if is_verbose else []
    columns = [
        Column(speaker.say("reading", "读数"), wraps=False),
        Column(speaker.say("tells of", "关乎瓶颈")),
        *rules,
        Column(speaker.say("how to get it", "获取方式")),
    ]
    shown = lacks if is_verbose else lacks[:_MISSING_SHOWN_MAX]
    rows: list[Sequence[Words]] = [
        [
            [name(one.name)],
            speaker.listed(one.separates),
            *([speaker.listed(one.decides)] if is_verbose else []),
            _how(one.how, engine, others),
        ]
        for one in shown
    ]
    table = Table(columns, rows)
    rest = len(lacks) - len(shown)
    if not rest:
        return [table]
    more = speaker.say(f"{rest} more: --verbose, or --format json", f"另有 {rest} 项：见 --verbose 或 --format json")
    return [table, Paragraph([dim(more)])]


def _how(how: Mapping[str, str], engine: str | None, others: frozenset[str]) -> Words:
    """How the engine at hand shows it; else every known way, without those of other engines if any is left."""
    if engine is not None and engine in how:
        return how[engine]
    words: list[str | Marked] = []
    told = {way: said for way, said in how.items() if way not in others} or how
    for way, said in told.items():
        words += [*(["; "] if words else []), *([dim(f"{way}: ")] if way != "any" else []), said]
    return words


def _readings(readings: Sequence[Reading], speaker: Speaker) -> Table:
    columns = [
        Column(speaker.say("reading", "读数"), wraps=False),
        Column(speaker.say("value", "值")),
        Column(speaker.say("why", "原因")),
        Column(speaker.say("from", "来源")),
    ]
    rows: list[Sequence[Words]] = [[[name(one.name)], one.raw, one.why, [dim(one.origin)]] for one in readings]
    return Table(columns, rows)


def _profile(answer: DiagnoseAnswer, speaker: Speaker) -> Paragraph:
    profile = answer.profile
    kind = speaker.say("calibrated", "已标定") if profile.calibrated else speaker.say("not calibrated", "未标定")
    count, title = len(answer.intake.observed), speaker.of(profile.title)
    return Paragraph(
        [
            speaker.say(f"{counted(count, 'reading')}, judged by profile ", f"{count} 个读数，所用阈值档案 "),
            name(profile.name),
            speaker.say(f" ({title}, {kind}). ", f"（{title}，{kind}）。"),
            dim(speaker.say("-v lists both.", "用 -v 列出两者。")),
        ]
    )


def _observations(answer: DiagnoseAnswer, speaker: Speaker) -> Table:
    rows: list[Sequence[Words]] = [
        [[name(one.name)], shown(one.value), [dim(one.origin)]] for _, one in sorted(answer.intake.observed.items())
    ]
    columns = [
        Column(speaker.say("reading", "读数"), wraps=False),
        Column(speaker.say("value", "值"), align="right", wraps=False),
        Column(speaker.say("from", "来源")),
    ]
    return Table(columns, rows)


def _thresholds(answer: DiagnoseAnswer, speaker: Speaker) -> Table:
    rows: list[Sequence[Words]] = [
        [[name(key)], shown(held.threshold.value), held.threshold.provenance, [dim(held.profile)]]
        for key, held in sorted(answer.thresholds.items())
    ]
    columns = [
        Column(speaker.say("threshold", "阈值"), wraps=False),
        Column(speaker.say("value", "值"), align="right", wraps=False),
        Column(speaker.say("comes from", "出处")),
        Column(speaker.say("profile", "档案")),
    ]
    return Table(columns, rows)
