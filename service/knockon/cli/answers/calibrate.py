"""What `profile calibrate` answers: levels old and new, what stays, and the back-test."""

from collections.abc import Sequence

from knockon.cli.answers.over_time import moment, span
from knockon.cli.answers.sources import text_data
from knockon.cli.answers.words import Speaker, counted, dim, name
from knockon.formats.base import (
    Block,
    Bullets,
    Code,
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
from knockon.jobs.calibrate.backtest import Fired
from knockon.jobs.calibrate.calibrate import CalibrateAnswer
from knockon.jobs.knowledge import Knowledge
from knockon.terms.words import Json

_NOT_MEASURED = "not measured"


def data(answer: CalibrateAnswer, *, written_to: str | None) -> dict[str, Json]:
    """The whole answer for programs."""
    profile = answer.profile
    return {
        "method": answer.method,
        "profile": {
            "name": profile.name,
            "base": profile.base,
            "for": {
                "hardware": profile.hardware,
                "engine": profile.engine,
                "model": profile.model,
                "load": profile.load,
                "load_when": profile.load_when_text or None,
            },
        },
        "levels": [
            {
                "threshold": one.level.threshold,
                "reading": one.level.reading,
                "side": one.level.side,
                "old": one.old,
                "new": one.new,
                "interval": [one.low, one.high],
                "samples": one.samples,
                "independent": round(one.worth, 1),
                "rules": list(one.level.rules),
                "says": text_data(one.says),
            }
            for one in answer.levels
        ],
        "kept": [{"threshold": one.threshold, "reading": one.reading, "why": one.why} for one in answer.kept],
        "back_test": _back_test_data(answer),
        "history": _history_data(answer),
        "knee": _knee_data(answer),
        "notes": [text_data(note) for note in answer.notes],
        "yaml": answer.text,
        "written_to": written_to,
        "revision": answer.revision,
    }


def _back_test_data(answer: CalibrateAnswer) -> Json:
    return {
        "instants": answer.back_test.instants,
        "rules": [
            {
                "rule": row.rule.id,
                "kind": row.rule.kind,
                "wall": row.rule.wall,
                "old": _fired_data(row.old),
                "new": _fired_data(row.new),
            }
            for row in answer.back_test.rules
        ],
    }


def _history_data(answer: CalibrateAnswer) -> Json:
    look = answer.look
    if look is None:
        return None
    return {
        "from_s": look.seen[0][0].at_s,
        "to_s": look.seen[-1][0].at_s,
        "step_s": look.timeline.step_s,
        "warm_up_until_s": look.warm_up.until_s if look.warm_up else None,
    }


def _knee_data(answer: CalibrateAnswer) -> Json:
    knee = answer.knee
    if knee is None:
        return None
    return {
        "of": answer.knee_of,
        "load": knee.load,
        "interval": [knee.low, knee.high],
        "throughput": knee.throughput,
        "before": knee.before,
        "after": knee.after,
        "loads": knee.count,
    }


def _fired_data(fired: Fired) -> Json:
    return {"times": fired.times, "instants": fired.instants, "first": list(fired.first)}


def page(answer: CalibrateAnswer, knowledge: Knowledge, *, language: str, written_to: str | None) -> Page:
    """The levels, the back-test, what stays; the profile itself where it was not written to a file."""
    speaker = Speaker(language, knowledge.catalog)
    count, method = len(answer.levels), answer.method
    says = speaker.say(
        f"{counted(count, 'threshold')} from {'a load sweep' if method == 'sweep' else 'a history'}",
        f"由{'负载扫描' if method == 'sweep' else '历史'}得到 {count} 个阈值",
    )
    blocks: list[Block] = [Verdict(answer.profile.name, "strong", says), KeyValues(_measured(answer, speaker))]
    if answer.notes:
        blocks.append(Bullets([Item(speaker.of(note)) for note in answer.notes]))
    blocks.append(Section(speaker.say("Levels", "阈值"), [_levels(answer, speaker)]))
    blocks.append(Section(speaker.say("Back-test", "回测"), _back_test(answer, speaker)))
    kept = [one for one in answer.kept if _NOT_MEASURED not in one.why]
    if kept:
        items = [Item([name(one.threshold), f" ({one.reading}): {one.why}"]) for one in kept]
        blocks.append(Section(speaker.say("These stay", "保持不变"), [Bullets(items)]))
    absent = len(answer.kept) - len(kept)
    if absent:
        en = f"{counted(absent, 'threshold')} more are of readings that were not measured."
        blocks.append(Paragraph([dim(speaker.say(en, f"另有 {absent} 个阈值的读数未测量。"))]))
    if written_to is None:
        blocks.append(Section(speaker.say("The profile", "档案"), [Code(answer.text)]))
    else:
        said = speaker.say(f"Written to {written_to}; use it with ", f"已写入 {written_to}；使用方式：")
        blocks.append(Paragraph([said, name(f"--profile {written_to}")]))
    return Page(blocks)


def _measured(answer: CalibrateAnswer, speaker: Speaker) -> list[tuple[str, Words]]:
    if answer.look is not None:
        first_s, last_s = answer.look.seen[0][0].at_s, answer.look.seen[-1][0].at_s
        step = span(answer.look.timeline.step_s)
        pairs: list[tuple[str, Words]] = [
            (
                speaker.say("history", "历史"),
                speaker.say(
                    f"{moment(first_s)} to {moment(last_s)}, {answer.back_test.instants} instants, every {step}",
                    f"{moment(first_s)} 至 {moment(last_s)}，{answer.back_test.instants} 个时刻，间隔 {step}",
                ),
            )
        ]
        if answer.look.warm_up is not None:
            pairs.append((speaker.say("warm-up", "预热"), speaker.of(answer.look.warm_up.why)))
        return pairs
    knee = answer.knee
    if knee is None:
        return []
    return [
        (
            speaker.say("knee", "拐点"),
            speaker.say(
                f"{answer.knee_of} {knee.throughput:.4g} at load {knee.load:.4g} ({knee.low:.4g} to {knee.high:.4g}); "
                f"one more unit of load brings {knee.before:.4g} below it and {knee.after:.4g} above; "
                f"{knee.count} loads",
                f"负载 {knee.load:.4g}（{knee.low:.4g} 至 {knee.high:.4g}）处 {answer.knee_of} "
                f"为 {knee.throughput:.4g}；"
                f"每增一单位负载，此前带来 {knee.before:.4g}，此后 {knee.after:.4g}；{knee.count} 个负载",
            ),
        )
    ]


def _levels(answer: CalibrateAnswer, speaker: Speaker) -> Table:
    rows: list[Sequence[Words]] = [
        [
            [name(one.level.threshold)],
            ["< " if one.level.side == "below" else "> ", name(one.level.reading)],
            f"{one.old:g}",
            [Marked(f"{one.new:g}", "strong")],
            f"{one.low:g} – {one.high:g}",
            f"{one.samples:,}",
            f"{one.worth:,.0f}",
        ]
        for one in answer.levels
    ]
    columns = [
        Column(speaker.say("threshold", "阈值"), wraps=False),
        Column(speaker.say("rules fire", "触发条件")),
        Column(speaker.say("old", "旧"), align="right", wraps=False),
        Column(speaker.say("new", "新"), align="right", wraps=False),
        Column(speaker.say("95 % interval", "95% 区间"), wraps=False),
        Column(speaker.say("values", "样本"), align="right", wraps=False),
        Column(speaker.say("worth", "独立"), align="right", wraps=False),
    ]
    return Table(columns, rows)


def _back_test(answer: CalibrateAnswer, speaker: Speaker) -> list[Block]:
    test, is_sweep = answer.back_test, answer.look is None
    if not test.rules:
        what = speaker.say("No rule fired, with the old levels or the new ones.", "新旧阈值下均无规则触发。")
        return [Paragraph(what)]

    def told(fired: Fired) -> str:
        if is_sweep:
            at = ", ".join(f"{load:g}" for load in fired.first)
            more = ", …" if fired.times > len(fired.first) else ""
            return f"{fired.times} / {test.instants}" + (f" ({at}{more})" if at else "")
        return f"{fired.times} × ({fired.instants / max(1, test.instants):.1%})" if fired.times else "—"

    rows: list[Sequence[Words]] = [
        [[name(row.rule.id)], row.rule.wall, told(row.old), told(row.new), speaker.of(row.rule.name)]
        for row in test.rules
    ]
    of = speaker.say("loads", "负载") if is_sweep else speaker.say("times, share of the time", "次数、时间占比")
    columns = [
        Column(speaker.say("rule", "规则"), wraps=False),
        Column(speaker.say("wall", "瓶颈"), wraps=False),
        Column(speaker.say(f"old ({of})", f"旧（{of}）")),
        Column(speaker.say("new", "新")),
        Column(speaker.say("about", "内容")),
    ]
    return [Table(columns, rows)]
