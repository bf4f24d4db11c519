"""The techniques as a table: CSV for spreadsheets, Markdown for wikis."""

import csv
import io
from collections.abc import Iterable, Iterator

from knockon.catalog.catalog import Catalog
from knockon.catalog.technique import Technique
from knockon.terms.words import Effect

_COLUMNS = (
    "id",
    "name_en",
    "name_zh",
    "aliases",
    "stage",
    "layer",
    "dimension",
    "other_cells",
    "mechanism",
    "goal",
    "gains",
    "costs",
    "engines",
    "sources",
)
# Spreadsheets run a text that begins so as a formula (OWASP: CSV injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_table(catalog: Catalog, language: str) -> str:
    """One row per technique, by id, under a row of column names; lists are joined by "; "."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(map(_plain, _cells(one, catalog, language)) for one in catalog.live)
    return text.getvalue()


def markdown_table(catalog: Catalog, language: str) -> str:
    """A table for each stage, in the order of the axes: what it is, where it sits, what it gains and pays."""
    return "\n".join(_stages(catalog, language)) + "\n"


def _stages(catalog: Catalog, language: str) -> Iterator[str]:
    heads = (
        ("技术", "归属", "目的", "收益", "代价") if language == "zh" else ("technique", "home", "goal", "gains", "pays")
    )
    for stage in catalog.axes.stages.values():
        techniques = [one for one in catalog.live if one.cells[0].stage == stage.id]
        if not techniques:
            continue
        yield from (f"## {stage.name.in_language(language)}", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|")
        for one in techniques:
            home = one.cells[0]
            yield (
                "| "
                + " | ".join(
                    text.replace("|", "\\|").replace("\n", " ")
                    for text in (
                        f"`{one.id}` {one.name.in_language(language)}",
                        f"{home.layer} {home.dimension}",
                        one.goal.in_language(language),
                        _onto(one, Effect.GAIN),
                        _onto(one, Effect.COST),
                    )
                )
                + " |"
            )
        yield ""


def _cells(one: Technique, catalog: Catalog, language: str) -> Iterator[str]:
    home = one.cells[0]
    yield from (one.id, one.name.en, one.name.zh)
    yield _joined(alias for group in one.aliases.values() for alias in group)
    yield from (home.stage, home.layer, home.dimension)
    yield _joined(f"{cell.stage}/{cell.layer}/{cell.dimension}" for cell in one.cells[1:])
    yield from (one.mechanism, one.goal.in_language(language))
    yield _joined(_shifts(one, Effect.GAIN))
    yield _joined(_shifts(one, Effect.COST))
    yield _joined(f"{switch.engine} {switch.switch}".strip() for switch in one.switches)
    yield _joined(catalog.citation(cite.ref).url for cite in one.cite)


def _shifts(one: Technique, effect: Effect) -> Iterator[str]:
    return (f"{shift.onto}: {shift.quantity} {shift.change}" for shift in one.shifts if shift.effect is effect)


def _onto(one: Technique, effect: Effect) -> str:
    return ", ".join(dict.fromkeys(shift.onto for shift in one.shifts if shift.effect is effect))


def _joined(items: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(items))


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
