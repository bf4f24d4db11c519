"""What the sources of load generators share: a table of fields, a run per result, and notes on what ran."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.result_run import run_of, text_of
from knockon.sources.result_table import Table, table_of
from knockon.sources.result_text import Result, has_keys, read_results
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.run import Run
from knockon.terms.words import Text

# What a result calls the engine it was sent to, and our word for it.
_ENGINES = {
    "vllm": "vllm",
    "sglang": "sglang",
    "sgl-jax": "sglang",
    "trt": "trtllm",
    "tensorrt-llm": "trtllm",
    "tgi": "tgi",
}


class ResultSource:
    """A load generator whose results are JSON; a member says its name and folder, and reads what else it writes."""

    name: str
    folder: Path
    """Where the member's fields.yaml is."""

    @property
    def table(self) -> Table:
        """The member's fields."""
        return table_of(self.folder)

    def recognises(self, text: str, *, filename: str) -> bool:
        """JSON with the keys that its table names."""
        del filename
        return any(has_keys(text, *keys) for keys in self.table.shows)

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read every run; see `Source.read`. A result holds no running totals, so `before` is refused."""
        del elapsed_s
        if before is not None:
            what = "a result of a load generator is of one run, so an earlier one adds nothing"
            at = Position(filename, 1, 1)
            raise IntakeError(Problem("no-totals", what, fix="leave out --before, or give both files", at=at))
        return self.taken(text, filename=filename, vocabulary=vocabulary)

    @abstractmethod
    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """The runs of the text; `read_source` chooses the one that is judged."""


class JsonResults(ResultSource):
    """A load generator that writes one flat JSON object per run."""

    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """See `ResultSource`."""
        results, cut_off = read_results(text, filename)
        return self.of_results(results, vocabulary, filename=filename, cut_off=cut_off)

    def of_results(
        self, results: Sequence[Result], vocabulary: Vocabulary, *, filename: str, cut_off: Position | None = None
    ) -> Taken:
        """The runs of results by the member's table; raises IntakeError where none has a number of it."""
        runs = [self.run(one, vocabulary) for one in results]
        notes = [note for one in results if (note := what_ran(self.table, one)) is not None]
        engine, title = engine_of(self.table, results), self.table.title
        return taken_of_runs(runs, notes, engine=engine, title=title, filename=filename, cut_off=cut_off)

    def run(self, result: Result, vocabulary: Vocabulary) -> Run:
        """One result as a run; what runs of unlike models or lengths is of unlike subjects."""
        return run_of(result, self.table, vocabulary, subject=subject_of(self.table, result))


def subject_of(table: Table, result: Result) -> str:
    """What was measured, as far as a result says it."""
    return ", ".join(word for what in ("model", "dataset") if (word := text_of(table, what, result)))


def taken_of_runs(
    runs: Sequence[Run],
    notes: Iterable[Text],
    *,
    engine: str | None,
    title: str,
    filename: str,
    cut_off: Position | None = None,
) -> Taken:
    """Runs with names of their own.

    Raises:
        IntakeError: no run has a single number: a template, or another tool's file.
    """
    measured = [run for run in runs if any(reading.state == "measured" for reading in run.readings)]
    if not measured:
        what = f"nothing in the text is a number that {title} measured"
        fix = "give the file that the run wrote" if not runs else f"its fields say {_why_none(runs)}"
        raise IntakeError(Problem("nothing-measured", what, "the result of a run", fix, Position(filename, 1, 1)))
    said = [*dict.fromkeys(notes)]
    if cut_off is not None:
        said.append(
            Text(
                f"{filename} breaks off in line {cut_off.line}; that run is left out",
                f"{filename} 在第 {cut_off.line} 行中断，该次运行未读取",
            )
        )
    return Taken((), (), engine, tuple(said), runs=tuple(_named(measured)))


def _why_none(runs: Sequence[Run]) -> str:
    return next((repr(reading.raw) for run in runs for reading in run.readings if reading.raw), "nothing")


def _named(runs: Sequence[Run]) -> Iterator[Run]:
    """Runs with a name each: by position where they have none, numbered where two share one."""
    seen: dict[str, int] = {}
    for index, run in enumerate(runs, start=1):
        name = run.name or str(index)
        seen[name] = seen.get(name, 0) + 1
        yield replace(run, name=name if seen[name] == 1 else f"{name} #{seen[name]}")


def engine_of(table: Table, results: Sequence[Result]) -> str | None:
    """The engine that every result names; None where they name none that is known, or several."""
    words = {text_of(table, "backend", one).lower() for one in results}
    word = words.pop() if len(words) == 1 else ""
    return next((engine for start, engine in _ENGINES.items() if word == start or word.startswith(f"{start}-")), None)


def what_ran(table: Table, result: Result) -> Text | None:
    """Model and data of a run, for people; None where the result says neither."""
    model, dataset = text_of(table, "model", result), text_of(table, "dataset", result)
    if not model and not dataset:
        return None
    en = " and ".join(part for part in (model and f"model {model}", dataset and f"data set {dataset}") if part)
    zh = "、".join(part for part in (model and f"模型 {model}", dataset and f"数据集 {dataset}") if part)
    return Text(f"{table.title} ran {en}", f"{table.title} 使用{zh}")
