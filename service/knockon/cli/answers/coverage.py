"""The collection checklist: what was collected, and what is absent."""

from collections.abc import Mapping, Sequence

from knockon.cli.answers.words import Speaker
from knockon.formats.base import Block, Column, Marked, Paragraph, Section, Table, Words
from knockon.rules.coverage import Coverage
from knockon.terms.words import Text

_CLASSES: Mapping[str, Text] = {
    "kpi": Text("KPI", "业务指标"),
    "resource": Text("resources", "资源"),
    "context": Text("load & config", "负载与配置"),
}


def coverage_section(coverage: Coverage, speaker: Speaker) -> Section:
    """One row per class, and the warning where the context is missing."""
    rows: list[Sequence[Words]] = [
        [
            speaker.of(_CLASSES.get(part.name, Text(part.name, part.name))),
            f"{part.ratio:.0%}",
            speaker.listed(part.collected) or "—",
            speaker.listed(part.absent) or "—",
        ]
        for part in coverage.classes
    ]
    columns = [
        Column(speaker.say("class", "类别"), wraps=False),
        Column("", align="right", wraps=False),
        Column(speaker.say("collected", "已采集")),
        Column(speaker.say("absent", "缺失")),
    ]
    blocks: list[Block] = [Table(columns, rows)]
    if coverage.warning:
        blocks.append(Paragraph([Marked(coverage.warning, "warn")]))
    return Section(speaker.say("Collection checklist", "采集清单"), blocks)
