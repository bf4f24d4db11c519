"""The ledger: per dimension and burden, what is gained and what it costs."""

from collections.abc import Sequence

from knockon.catalog.catalog import Catalog
from knockon.cli.answers.sources import cited_data
from knockon.cli.answers.words import Speaker, arrow, dim, name, times
from knockon.formats.base import Column, Marked, Table, Words
from knockon.jobs.ledger import LedgerEntry, LedgerLine
from knockon.terms.truth import Truth
from knockon.terms.words import Change, Json


def ledger_data(ledger: Sequence[LedgerEntry], catalog: Catalog) -> list[Json]:
    """The contract's `ledger`."""
    return [
        {
            "dimension": entry.onto,
            "gains": [_line_data(line, catalog) for line in entry.gains],
            "costs": [_line_data(line, catalog) for line in entry.costs],
        }
        for entry in ledger
    ]


def ledger_block(ledger: Sequence[LedgerEntry], speaker: Speaker) -> Table:
    """One row per dimension and burden; a `?` where it cannot be told whether the condition holds."""
    columns = [
        Column("", wraps=False),
        Column(speaker.say("gains", "收益")),
        Column(speaker.say("costs", "代价")),
    ]
    rows: list[Sequence[Words]] = []
    for entry in ledger:
        title = [Marked(speaker.onto(entry.onto), "strong")]
        rows += [
            [title if index == 0 else "", _cell(entry.gains, index, speaker), _cell(entry.costs, index, speaker)]
            for index in range(max(len(entry.gains), len(entry.costs)))
        ]
    return Table(columns, rows)


def _line_data(line: LedgerLine, catalog: Catalog) -> Json:
    return {
        "cause": line.cause,
        "quantity": line.quantity,
        "change": line.change.value if line.change else None,
        "factor": line.factor,
        "when": line.when,
        "holds": line.holds.name.lower(),
        "says": line.says.en,
        "says_zh": line.says.zh,
        "sources": cited_data(catalog, line.cite),
    }


def _cell(lines: Sequence[LedgerLine], index: int, speaker: Speaker) -> Words:
    if index >= len(lines):
        return ""
    line = lines[index]
    moved = arrow(1 if line.change is Change.UP else -1) if line.change else ""
    doubt = "?" if line.holds is Truth.UNKNOWN else ""
    said = " ".join(part for part in (speaker.quantity(line.quantity), moved, times(line.factor), doubt) if part)
    return [said, dim(" ← "), name(line.cause)]
