"""The answer of `rules analyse`: what is wrong whatever the rules are about, then what a curator should know."""

from collections.abc import Iterator, Mapping, Sequence

from knockon.formats.base import Block, Column, KeyValues, Page, Section, Table, Verdict, Words
from knockon.rules.analyse import Analysis, Pair
from knockon.rules.fill import shown
from knockon.terms.words import Json, Scalar, Text

# Rows of one kind that people read; JSON has all.
_ROWS_MAX = 20


def data(analysis: Analysis) -> dict[str, Json]:
    """The answer for programs."""
    return {
        "rules": analysis.rules,
        "dead": list(analysis.dead),
        "constant": list(analysis.constant),
        "shadowed": _pairs(analysis.shadowed),
        "repeated": _pairs(analysis.repeated),
        "overlaps": _pairs(analysis.overlaps),
        "contradictions": _pairs(analysis.contradictions),
        "gaps": [{"symptom": gap.symptom, "witness": dict(gap.witness)} for gap in analysis.gaps],
        "undecided": analysis.undecided,
    }


def page(analysis: Analysis, *, language: str) -> Page:
    """Defects first, then every kind of pair with values on which it is."""

    def say(en: str, zh: str) -> str:
        return Text(en, zh).in_language(language)

    if analysis.defects:
        verdict = Verdict(say("defects", "有缺陷"), "bad", str(analysis.defects))
    else:
        verdict = Verdict(
            say("sound", "无缺陷"),
            "good",
            say(
                f"each of {analysis.rules} rules can fire and can be silent, and none is shadowed",
                f"{analysis.rules} 条规则均可触发也可不触发，且无被遮蔽者",
            ),
        )
    blocks: list[Block] = [verdict]
    for title, keys in (
        (say("Never fire", "永不触发"), analysis.dead),
        (say("Always fire once their values are known", "取值已知即恒触发"), analysis.constant),
    ):
        if keys:
            blocks.append(Section(title, [KeyValues([(key, "") for key in keys])]))
    first, second = say("rule", "规则"), say("with", "与")
    for title, pairs in (
        (
            say("Never speak: the second outranks them wherever they fire", "从不发声：凡触发处均被后者压过"),
            analysis.shadowed,
        ),
        (say("Say what the second says wherever they fire", "凡触发处后者已说"), analysis.repeated),
        (say("Two walls at once, alike in confidence", "两种瓶颈同时成立且置信度相近"), analysis.overlaps),
        (say("Fixes that lead in circles", "互相抵消的修复建议"), analysis.contradictions),
    ):
        if pairs:
            columns = [Column(first, wraps=False), Column(second, wraps=False), Column(say("on", "取值"))]
            left = len(pairs) - _ROWS_MAX
            more = say(f" ({left} more in JSON)", f"（其余 {left} 项见 JSON）") if left > 0 else ""
            blocks.append(Section(f"{title}: {len(pairs)}{more}", [Table(columns, list(_rows(pairs[:_ROWS_MAX])))]))
    if analysis.gaps:
        rows = [[gap.symptom, _values(gap.witness)] for gap in analysis.gaps]
        columns = [Column(say("symptom", "现象"), wraps=False), Column(say("on", "取值"))]
        blocks.append(Section(say("Not explained by the base table", "基础规则未解释"), [Table(columns, rows)]))
    if analysis.undecided:
        count = analysis.undecided
        blocks.append(Verdict(say("not decided", "未判定"), "dim", say(f"{count} questions", f"{count} 个问题")))
    return Page(blocks)


def _pairs(pairs: Sequence[Pair]) -> list[Json]:
    return [{"first": one.first, "second": one.second, "witness": dict(one.witness)} for one in pairs]


def _rows(pairs: Sequence[Pair]) -> Iterator[Sequence[Words]]:
    return ([one.first, one.second, _values(one.witness)] for one in pairs)


def _values(witness: Mapping[str, Scalar]) -> str:
    return ", ".join(f"{name}={shown(value)}" for name, value in witness.items())
