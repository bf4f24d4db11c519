"""Reads the published tables of LLM-Inference-Bench: a run per row, of many models and machines."""

import csv
from collections.abc import Iterator
from pathlib import Path

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.result_number import number_of
from knockon.sources.result_run import run_of
from knockon.sources.result_source import ResultSource, taken_of_runs
from knockon.sources.result_text import result_of
from knockon.sources.stat_sheet import first_line
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import READINGS_MAX
from knockon.terms.place import Position
from knockon.terms.unit import ONE
from knockon.terms.words import Json, Text

_FIRST = ("hardware", "num of hardware", "framework", "model")
_BOTH, _INPUT, _OUTPUT, _BATCH = "input output length", "input length", "output length", "batch size"
_LATENCY, _FIRST_TOKEN, _END = "latency", "ttft latency", "end_latency"
_CACHE = "kv cache"
_POWER = "avg_power"
_SHOWN_MAX = 8
# What tells one subject from another, as far as the table has it.
_SUBJECT = (*_FIRST, _BOTH, _INPUT, _OUTPUT, _CACHE)


class LlmInferenceBench(ResultSource):
    """The CSVs behind its figures."""

    name = "llm-inference-bench"
    folder = Path(__file__).parent

    def recognises(self, text: str, *, filename: str) -> bool:
        """The first four columns."""
        del filename
        return tuple(_titles(first_line(text).split(",")))[:4] == _FIRST

    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """See `ResultSource`. Rows of unlike machines, models or lengths are of unlike subjects."""
        runs, odd = [], []
        for held, at, subject in _rows(text, filename):
            if held is None:
                odd.append(at.line)
            else:
                name = f"line {at.line}"
                runs.append(run_of(result_of(held, at), self.table, vocabulary, name=name, subject=subject))
        note = Text(
            "the table is published results: times are means of batches that started together",
            "该表为已发布结果：时间为同时开始的批次的均值",
        )
        notes = (note, *_left_out(odd)) if odd else (note,)
        return taken_of_runs(runs, notes, engine=None, title=self.table.title, filename=filename)


def _left_out(lines: list[int]) -> tuple[Text, ...]:
    listed = ", ".join(map(str, lines[:_SHOWN_MAX])) + (" …" if len(lines) > _SHOWN_MAX else "")
    return (
        Text(
            f"rows of another width than the header are left out: line {listed}",
            f"与表头列数不同的行未读取：第 {listed} 行",
        ),
    )


def _rows(text: str, filename: str) -> Iterator[tuple[dict[str, Json] | None, Position, str]]:
    """(fields of fields.yaml, place, subject) of each row; None where its width is not the header's.

    Raises:
        IntakeError: no CSV; with the line. LimitExceeded: too many rows.
    """
    reader = csv.reader(text.removeprefix("\ufeff").splitlines())
    titles: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            at = Position(filename, reader.line_num, 1)
            if not titles:
                titles = _titles(cells)
            elif len(cells) != len(titles):
                yield None, at, ""
            elif reader.line_num > READINGS_MAX:
                raise LimitExceeded("the rows of one table", limit=READINGS_MAX, at=at)
            else:
                row = dict(zip(titles, (cell.strip() for cell in cells), strict=True))
                yield _fields(row), at, ", ".join(row[key] for key in _SUBJECT if row.get(key))
    except csv.Error as error:
        at = Position(filename, reader.line_num, 1)
        raise IntakeError(Problem("csv-syntax", f"not CSV: {error}", "rows of one width", at=at)) from error


def _titles(cells: list[str]) -> list[str]:
    return [cell.strip().lower() for cell in cells]


def _fields(row: dict[str, str]) -> dict[str, Json]:
    """One row in the words of fields.yaml. The latency of an answer of one token is the time to first token."""
    held: dict[str, Json] = {"batch": row.get(_BATCH), "input": row.get(_INPUT, row.get(_BOTH))}
    held["output"] = row.get(_OUTPUT, row.get(_BOTH))
    is_first = row.get(_OUTPUT) == "1"
    if _POWER in row:
        held[_POWER] = row[_POWER]
    if _END in row:
        # Its output length is that of the first measurement; the length of the second is not in the table.
        held |= {"ttft": row.get(_FIRST_TOKEN), "e2e": row[_END], "output": None}
    elif is_first:
        held["ttft"] = row.get(_LATENCY)
    else:
        held["e2e"] = row.get(_LATENCY)
        held["output_tokens_per_s"] = _rate(held)
    return held


def _rate(held: dict[str, Json]) -> Json:
    """Answer tokens of the batch over its latency."""
    numbers = [number_of(held.get(key), "", ONE).value for key in ("batch", "output", "e2e")]
    batch, tokens, latency = numbers
    return batch * tokens / latency if batch and tokens and latency else None
