"""The ledger: per dimension and burden, what is gained and what it costs."""

from collections.abc import Sequence

from knockon.catalog.catalog import Catalog
from knockon.cli.answers.sources import cited_data
from knockon.cli.answers.words import Speaker, arrow, names, times
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
    """One row per quantity that moves, what moves it behind; `?` where it cannot be told whether it moves here."""
    rows: list[Sequence[Words]] = []
    for entry in ledger:
        title: Words = [Marked(speaker.onto(entry.onto), "strong")]
        for sign, lines in ((Marked("+", "good"), entry.gains), (Marked("−", "bad"), entry.costs)):
            for moved, causes in _moved(lines, speaker).items():
                rows.append([title, [sign, " ", moved], names(causes)])
                title = ""
    columns = [
        Column("", wraps=False),
        Column(speaker.say("+ gains, − costs", "+ 收益，− 代价")),
        Column(speaker.say("because of", "起因")),
    ]
    return Table(columns, rows)


def _moved(lines: Sequence[LedgerLine], speaker: Speaker) -> dict[str, list[str]]:
    """What moves, in words, and the causes of each."""
    moved: dict[str, list[str]] = {}
    for line in lines:
        direction = arrow(1 if line.change is Change.UP else -1) if line.change else ""
        doubt = "?" if line.holds is Truth.UNKNOWN else ""
        parts = (speaker.quantity(line.quantity), direction, times(line.factor), doubt)
        causes = moved.setdefault(" ".join(part for part in parts if part), [])
        if line.cause not in causes:
            causes.append(line.cause)
    return moved


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
