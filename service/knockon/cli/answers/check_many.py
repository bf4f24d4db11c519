"""Many answers of `check` as one page: what counts, launch by launch, then how many came to what."""

from collections import Counter
from collections.abc import Sequence

from knockon.cli.answers.words import TONES, Speaker, dim
from knockon.formats.base import (
    Block,
    Bullets,
    Column,
    FindingRow,
    Item,
    LaunchRow,
    Marked,
    Page,
    Paragraph,
    Section,
    Table,
    Tone,
    Verdict,
    Words,
)
from knockon.terms.words import Json

_ORDER = ("error", "conflict", "degraded", "unknown", "fine")


def launch_block(launch: LaunchRow, rows: Sequence[FindingRow], speaker: Speaker) -> Section:
    """One launch with its findings, those that count first."""
    ordered = sorted(rows, key=lambda row: row.accepted is not None)
    title: list[str | Marked] = [f"{_named(launch)} — ", Marked(_word(launch.verdict, speaker), _tone(launch.verdict))]
    return Section(title, [Bullets([_item(row, speaker) for row in ordered])])


def rows_block(rows: Sequence[FindingRow], speaker: Speaker) -> Bullets:
    """Findings that belong to no launch."""
    return Bullets([_item(row, speaker) for row in rows])


def accepted_words(row: FindingRow, speaker: Speaker) -> str:
    """Why a finding does not count; empty where it does."""
    accepted = row.accepted
    if accepted is None:
        return ""
    if accepted.kind == "known":
        return speaker.say("known: in the baseline", "已知：在基线中")
    return speaker.say(
        f"waived until {accepted.expires}: {accepted.reason} ({accepted.at})",
        f"已豁免至 {accepted.expires}：{accepted.reason}（{accepted.at}）",
    )


def page(
    blocks: Sequence[Block], launches: Sequence[LaunchRow], tally: Counter[str], speaker: Speaker, *, revision: str
) -> Page:
    """The whole run: the worst verdict, what was found, how many launches came to what."""
    verdicts = Counter(launch.verdict for launch in launches)
    worst = next((word for word in _ORDER if verdicts[word]), "fine")
    count, files = len(launches), len({launch.path for launch in launches})
    says = speaker.say(
        f"{count} launch{'' if count == 1 else 'es'} in {files} file{'' if files == 1 else 's'}",
        f"{files} 个文件，{count} 个启动",
    )
    rows: list[Sequence[Words]] = [
        [[Marked(_word(word, speaker), _tone(word))], str(verdicts[word])] for word in _ORDER if verdicts[word]
    ]
    summary: list[Block] = [
        Table(
            [Column(speaker.say("verdict", "结论"), wraps=False), Column(speaker.say("launches", "启动"), "right")],
            rows,
        ),
        Paragraph(
            speaker.say(
                f"Findings: {tally['counted']} counted, {tally['known']} known, {tally['waived']} waived.",
                f"计入 {tally['counted']} 项；已知 {tally['known']} 项，已豁免 {tally['waived']} 项。",
            )
        ),
        Paragraph([dim(speaker.say(f"revision {revision}", f"版本 {revision}"))]),
    ]
    return Page(
        [Verdict(_word(worst, speaker), _tone(worst), says), *blocks, Section(speaker.say("Summary", "汇总"), summary)]
    )


def summary_data(launches: Sequence[LaunchRow], tally: Counter[str]) -> dict[str, Json]:
    """How many launches came to what, and how many findings count."""
    verdicts = Counter(launch.verdict for launch in launches)
    return {
        "files": len({launch.path for launch in launches}),
        "launches": len(launches),
        "verdicts": {word: verdicts[word] for word in _ORDER if verdicts[word]},
        "findings": {key: tally[key] for key in ("counted", "known", "waived")},
    }


def row_data(row: FindingRow) -> dict[str, Json]:
    """A row for programs."""
    return {
        "rule": row.rule.id,
        "verdict": row.verdict,
        "says": row.text,
        "fingerprint": row.fingerprint,
        "accepted": accepted_data(row),
        "at": {"path": row.at.path, "line": row.at.line, "column": row.at.column} if row.at else None,
    }


def accepted_data(row: FindingRow) -> Json:
    """Why a finding does not count; null where it does."""
    accepted = row.accepted
    if accepted is None:
        return None
    if accepted.kind == "known":
        return {"kind": "known"}
    return {"kind": "waived", "reason": accepted.reason, "expires": accepted.expires, "at": accepted.at}


def _item(row: FindingRow, speaker: Speaker) -> Item:
    head: list[str | Marked] = [
        Marked(_word(row.verdict, speaker), _tone(row.verdict)),
        f" {row.rule.id} {row.rule.title}",
    ]
    if row.at is not None:
        head.append(dim(f" ({row.at.path}:{row.at.line}:{row.at.column})"))
    said = accepted_words(row, speaker)
    if said:
        head.append(f" — {said}")
        return Item(head)
    return Item(head, [Paragraph(line) for line in row.text.split("\n")])


def _named(launch: LaunchRow) -> str:
    place = f"{launch.path}:{launch.line}" if launch.launch else launch.path
    return f"{place} {launch.launch}".strip()


def _word(verdict: str, speaker: Speaker) -> str:
    said = {"error": ("cannot be read", "无法读取"), "bad-input": ("bad input", "输入有误")}.get(verdict)
    return speaker.say(*said) if said else speaker.verdict(verdict)


def _tone(verdict: str) -> Tone:
    return "bad" if verdict in ("error", "bad-input") else TONES[verdict]
