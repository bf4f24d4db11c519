"""The answer of `rules analyse`: rules that never fire, and pairs of walls with readings on which both fire."""

from collections.abc import Sequence

from knockon.formats.base import Block, Column, Page, Paragraph, Section, Table, Verdict, Words
from knockon.rules.analyse import Analysis
from knockon.rules.fill import shown
from knockon.terms.words import Json, Text


def data(analysis: Analysis) -> dict[str, Json]:
    """The answer for programs."""
    return {
        "dead": list(analysis.dead),
        "overlaps": [
            {"first": one.first, "second": one.second, "witness": dict(one.witness)} for one in analysis.overlaps
        ],
        "not_proved": list(analysis.not_proved),
    }


def page(analysis: Analysis, *, language: str) -> Page:
    """Dead rules first, then every pair with its witness."""

    def say(en: str, zh: str) -> str:
        return Text(en, zh).in_language(language)

    count = len(analysis.overlaps)
    pairs = say(f"{count} pairs of walls can be named at once", f"{count} 对瓶颈可能同时成立")
    dead = ", ".join(analysis.dead)
    if dead:
        verdict = Verdict(say("dead rules", "永不触发的规则"), "bad", f"{dead}; {pairs}")
    else:
        verdict = Verdict(say("every rule can fire", "每条规则都能触发"), "good", pairs)
    blocks: list[Block] = [verdict]
    if analysis.overlaps:
        rows: list[Sequence[Words]] = [
            [f"{one.first} × {one.second}", ", ".join(f"{name}={shown(value)}" for name, value in one.witness.items())]
            for one in analysis.overlaps
        ]
        columns = [Column(say("rules", "规则"), wraps=False), Column(say("both fire on", "二者同时触发的读数"))]
        blocks.append(Section(say("Two walls at once", "两种瓶颈同时成立"), [Table(columns, rows)]))
    if analysis.not_proved:
        listed = ", ".join(analysis.not_proved)
        blocks.append(
            Paragraph(
                say(
                    f"{listed} compare readings with one another: what is not found of them is not excluded.",
                    f"{listed} 比较的是读数之间的大小：未发现不等于不存在。",
                )
            )
        )
    return Page(blocks)
