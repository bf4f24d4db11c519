"""diagnose over many snapshots: how often each rule fires in a table of readings, and where first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from knockon.backends.polars.compiled import ROWS_TOGETHER, compiled
from knockon.jobs.knowledge import Knowledge
from knockon.rules.intake import FIRST_OF, RATIO_SLACK
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.rules.thresholds import values_in_force
from knockon.sources.amount import is_missing
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position

# Rows shown of each rule; enough to look one up.
_FIRST_ROWS = 5


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How often one rule fired and could not tell, and the first rows (from 0) in which it fired."""

    rule: DiagnoseRule
    fired: int
    unknown: int
    first_rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SnapshotsAnswer:
    """The whole answer; rules in the order of how often they fired."""

    rows: int
    rules: tuple[RuleCount, ...]
    ignored: tuple[str, ...]
    """Columns whose name is no reading and no fact."""
    no_numbers: Mapping[str, int]
    """Cells that hold text where a number belongs, by column; a word for "there is none" is not counted."""
    revision: str


def diagnose_snapshots(knowledge: Knowledge, file: Path, *, profile: str = "default") -> SnapshotsAnswer:
    """Judge every row of `file` (.parquet or .csv; a column for each reading or fact) under `profile`.

    Each rule is judged by itself: what one overrules in a diagnosis counts here all the same.

    Raises:
        NotFound: unknown profile. IntakeError: the file cannot be read as a table.
    """
    rulebook = knowledge.rulebook
    thresholds = values_in_force(rulebook.profiles, profile)
    conditions = compiled([rule.when for rule in rulebook.diagnose], rulebook.vocabulary)
    fired, unknown = [0] * len(rulebook.diagnose), [0] * len(rulebook.diagnose)
    first: list[list[int]] = [[] for _ in rulebook.diagnose]
    table = _read(file)
    table, no_numbers = _in_numbers(table, rulebook)
    for start in range(0, table.height, ROWS_TOGETHER):
        part = _taken(table.slice(start, ROWS_TOGETHER), rulebook)
        truths = conditions.truths(part.with_columns(**{key: pl.lit(value) for key, value in thresholds.items()}))
        for index, column in enumerate(truths.iter_columns()):
            fired[index] += int(column.sum() or 0)
            unknown[index] += column.null_count()
            if len(first[index]) < _FIRST_ROWS:
                rows = column.fill_null(value=False).arg_true().head(_FIRST_ROWS - len(first[index]))
                first[index] += [start + row for row in rows]
    counted = [
        RuleCount(rule, fired[index], unknown[index], tuple(first[index]))
        for index, rule in enumerate(rulebook.diagnose)
    ]
    ignored = tuple(name for name in table.columns if rulebook.vocabulary.get(name) is None)
    ranked = tuple(sorted(counted, key=lambda one: (-one.fired, one.rule.id)))
    return SnapshotsAnswer(table.height, ranked, ignored, no_numbers, knowledge.revision)


def _read(file: Path) -> pl.DataFrame:
    at = Position(str(file), 1, 1)
    try:
        if file.suffix == ".parquet":
            return pl.read_parquet(file)
        if file.suffix == ".csv":
            return pl.read_csv(file, infer_schema_length=10_000)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise IntakeError(Problem("unreadable-file", f"cannot be read as a table: {error}", at=at)) from error
    raise IntakeError(Problem("unreadable-file", "is no table that is known", "a .parquet or .csv file", at=at))


def _in_numbers(table: pl.DataFrame, rulebook: Rulebook) -> tuple[pl.DataFrame, dict[str, int]]:
    """Read columns of text as the numbers that they are: one `N/A` makes text of a whole column.

    What is no number is not measured in its row, and counted.
    """
    spoilt: dict[str, int] = {}
    for name, dtype in table.schema.items():
        info = rulebook.vocabulary.get(name)
        if dtype != pl.String or info is None or not info.is_numeric:
            continue
        said = table[name].str.strip_chars()
        numbers = said.cast(pl.Float64, strict=False)
        others = said.filter(numbers.is_null() & said.is_not_null()).value_counts()
        count = sum(times for text, times in others.iter_rows() if not is_missing(text))
        if count:
            spoilt[name] = count
        table = table.with_columns(numbers)
    return table, spoilt


def _taken(table: pl.DataFrame, rulebook: Rulebook) -> pl.DataFrame:
    """What intake does to single readings, for whole columns: impossible values go, the derived readings come."""
    table = table.with_columns(list(_possible(table, rulebook)))
    for name, sources in FIRST_OF.items():
        there = [source for source in (name, *sources) if source in table.columns]
        if there:
            table = table.with_columns(pl.coalesce(there).alias(name))
    got, wanted, below = "output_tokens_per_s", "expected_output_tokens_per_s", "throughput_below_expectation"
    if below not in table.columns and {got, wanted} <= set(table.columns):
        table = table.with_columns((pl.col(got) < pl.col(wanted)).alias(below))
    return table


def _possible(table: pl.DataFrame, rulebook: Rulebook) -> Iterator[pl.Expr]:
    for name, dtype in table.schema.items():
        info = rulebook.vocabulary.get(name)
        if info is None or info.kind != "reading" or not info.is_numeric or not dtype.is_numeric():
            continue
        slack = RATIO_SLACK if name.endswith("_ratio") else 0.0
        column, holds = pl.col(name).cast(pl.Float64), pl.lit(value=True)
        if info.minimum is not None:
            holds &= column >= info.minimum - slack
        if info.maximum is not None:
            holds &= column <= info.maximum + slack
        if info.above is not None:
            holds &= column > info.above
        yield pl.when(holds & column.is_finite()).then(column).alias(name)
