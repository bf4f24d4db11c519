"""What `diagnose --snapshots` answers: how often each rule fired, and where first."""

from collections.abc import Sequence

from knockon.formats.base import Column, Marked, Page, Paragraph, Table, Verdict, Words
from knockon.jobs.snapshots import SnapshotsAnswer
from knockon.terms.words import Json, Text


def data(answer: SnapshotsAnswer) -> dict[str, Json]:
    """Every rule, and the walls they count for."""
    walls: dict[str, int] = {}
    for one in answer.rules:
        walls[one.rule.wall] = walls.get(one.rule.wall, 0) + one.fired
    return {
        "rows": answer.rows,
        "walls": {wall: walls[wall] for wall in sorted(walls, key=lambda wall: (-walls[wall], wall))},
        "rules": [
            {
                "rule": one.rule.id,
                "kind": one.rule.kind,
                "wall": one.rule.wall,
                "fired": one.fired,
                "unknown": one.unknown,
                "first_rows": list(one.first_rows),
            }
            for one in answer.rules
        ],
        "ignored": list(answer.ignored),
        "no_numbers": dict(answer.no_numbers),
        "revision": answer.revision,
    }


def page(answer: SnapshotsAnswer, *, language: str) -> Page:
    """The rules that fired at all, the most frequent first."""

    def say(en: str, zh: str) -> str:
        return Text(en, zh).in_language(language)

    fired = [one for one in answer.rules if one.fired]
    told = say(
        f"{len(fired)} of {len(answer.rules)} rules fired on {answer.rows:,} snapshots",
        f"{answer.rows:,} 个快照，{len(answer.rules)} 条规则中有 {len(fired)} 条触发",
    )
    verdict = Verdict(say("judged", "已判断"), "strong", told)
    rows: list[Sequence[Words]] = [
        [
            [Marked(one.rule.id, "strong")],
            one.rule.wall,
            one.rule.name.in_language(language),
            f"{one.fired:,}",
            f"{one.unknown:,}",
            ", ".join(map(str, one.first_rows)),
        ]
        for one in fired
    ]
    columns = [
        Column(say("rule", "规则"), wraps=False),
        Column(say("wall", "瓶颈"), wraps=False),
        Column(say("about", "内容")),
        Column(say("fired", "触发"), wraps=False),
        Column(say("cannot tell", "无法判断"), wraps=False),
        Column(say("first rows", "最早的行")),
    ]
    ignored = say("no reading and no fact: ", "不是读数也不是事实：") + ", ".join(answer.ignored)
    spoilt = say("no number, so not measured in its row: ", "不是数值，该行视为未测量：") + ", ".join(
        f"{name} × {count:,}" for name, count in answer.no_numbers.items()
    )
    return Page(
        [
            verdict,
            *([Table(columns, rows)] if rows else []),
            *([Paragraph(ignored)] if answer.ignored else []),
            *([Paragraph(spoilt)] if answer.no_numbers else []),
        ]
    )
