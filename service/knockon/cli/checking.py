"""One run of `check`: every launch judged, set against baseline and waivers, and written as it was asked for."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

from knockon.cli.answers import check as one_answer
from knockon.cli.answers import check_many as many_answers
from knockon.cli.answers.check_rows import Rows, split_rows
from knockon.cli.answers.words import Speaker
from knockon.cli.output import tell
from knockon.cli.show import show, write
from knockon.cli.waiving import Waiving
from knockon.formats.base import Accepted, Block, FindingRow, LaunchRow, Page, Report, Section
from knockon.formats.indented import indented
from knockon.jobs.baseline import Known
from knockon.jobs.check import CheckAnswer
from knockon.jobs.check_many import Checked, check_many
from knockon.jobs.described import Described
from knockon.jobs.knowledge import Knowledge
from knockon.terms.errors import IntakeError
from knockon.terms.words import Json
from knockon.version import version

# Formats that show rows, whatever the answer was.
_OF_ROWS = frozenset({"sarif", "junit", "github", "gitlab"})
# Answers stand two levels deep.
_MARGIN = "    "
_COUNTING = frozenset({"conflict", "degraded"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the run is to be told."""

    format_name: str
    language: str
    is_verbose: bool = False
    is_list: bool = False
    """Whether the answer is a list even when there is one launch: a folder was named."""
    compares_releases: bool | None = None
    """Whether other releases are asked where none is named; None: they are of a launch alone."""


@dataclass
class Run:
    """What came of a run; grows launch by launch, and keeps of each only what its format needs."""

    knowledge: Knowledge
    wanted: Wanted
    waiving: Waiving
    known: frozenset[str] = frozenset()
    """Fingerprints of the baseline."""
    rows: list[FindingRow] = field(default_factory=list)
    launches: list[LaunchRow] = field(default_factory=list)
    tally: Counter[str] = field(default_factory=Counter)
    """How many findings count, by verdict and in all, and how many are known or waived."""
    baseline: list[Known] = field(default_factory=list)
    """What a baseline of this run holds."""

    def __post_init__(self) -> None:
        self._speaker = Speaker(self.wanted.language, self.knowledge.catalog)
        self._rows = Rows(self._speaker, relative)
        self._first: tuple[Checked, list[FindingRow], LaunchRow] | None = None
        self._blocks: list[Block] = []
        """Of the launches so far, where a page is wanted."""
        self._is_many = self.wanted.is_list
        self._written = 0

    def over(self, described: Iterable[Described]) -> "Run":
        """Check them all, and write the answer.

        Raises:
            CurationError: a waiver file does not hold.
            IntakeError: the only launch cannot be read, and the format has no place for it.
        """
        coming = iter(described)
        first = [*islice(coming, 2)]
        is_one = len(first) < 2 and not self.wanted.is_list
        wanted = self.wanted.compares_releases
        compares = is_one if wanted is None else wanted
        for checked in check_many(self.knowledge, chain(first, coming), compares_releases=compares):
            launch = self._rows.launch(checked)
            rows = self._taken(checked)
            self.launches.append(launch)
            if self.wanted.format_name in _OF_ROWS:
                self.rows += rows
            elif self._is_many:
                self._add(checked, rows, launch)
            elif self._first is None:
                self._first = checked, rows, launch
            else:
                self._is_many = True
                self._add(*self._first)
                self._add(checked, rows, launch)
        self._finish()
        return self

    def _taken(self, checked: Checked) -> list[FindingRow]:
        described = checked.described
        self.waiving.look_at(described.path)
        rows = []
        for one in self._rows.of(checked):
            accepted = self.waiving.accepted(one.row.rule.id, described, one.settings)
            if accepted is None and one.row.verdict in _COUNTING and one.row.fingerprint in self.known:
                accepted = Accepted("known")
            row = replace(one.row, accepted=accepted) if accepted else one.row
            rows.append(row)
            if accepted is not None:
                self.tally[accepted.kind] += 1
            elif row.verdict != "note":
                self.tally["counted"] += 1
                self.tally[row.verdict] += 1
                self.tally["unusable"] += row.verdict == "error" or one.is_bad_input
                if one.is_bad_input and self.wanted.format_name == "json":
                    # A program has it under `problems`; whoever looks at its log has to see why it ended with 2.
                    place = f"{row.at.path}:{row.at.line}:{row.at.column}" if row.at else described.name
                    tell(f"{place}: {row.text}")
            if row.verdict in _COUNTING and (accepted is None or accepted.kind == "known"):
                path = relative(described.path)
                self.baseline.append(Known(path, described.launch, row.rule.id, row.fingerprint))
        return rows

    def _add(self, checked: Checked, rows: Sequence[FindingRow], launch: LaunchRow) -> None:
        """One of many answers."""
        if self.wanted.format_name == "json":
            self._write_next(self._data(checked, rows))
            if checked.problem is not None and any(row.verdict == "error" for row in rows):
                tell(str(checked.problem))
        elif self.wanted.is_verbose and checked.answer is not None:
            label = " ".join(part for part in (relative(checked.described.path), checked.described.launch) if part)
            self._blocks.append(Section(label, self._page(checked.answer, rows).blocks))
        elif rows:
            self._blocks.append(many_answers.launch_block(launch, rows, self._speaker))

    def _finish(self) -> None:
        late = self.waiving.out_of_date(language=self.wanted.language)
        if self.wanted.format_name in _OF_ROWS:
            self.rows += late
            self._show(Report({}, Page([]), self.rows, self.launches, version()))
        elif self._is_many:
            self._finish_many(late)
        elif self._first is not None:
            checked, rows, _ = self._first
            if checked.answer is None:
                assert checked.problem is not None, "one of both is there"
                raise IntakeError(checked.problem)
            data = self._answer_data(checked.answer, rows)
            if late:
                data["waivers"] = [many_answers.row_data(row) for row in late]
            blocks = [*self._page(checked.answer, rows).blocks, *self._late(late)]
            self._show(Report(data, Page(blocks), rows, self.launches))

    def _finish_many(self, late: Sequence[FindingRow]) -> None:
        if self.wanted.format_name != "json":
            blocks = [*self._blocks, *self._late(late)]
            revision = self.knowledge.revision
            page = many_answers.page(blocks, self.launches, self.tally, self._speaker, revision=revision)
            self._show(Report({}, page))
            return
        self._open_list()
        tail: dict[str, Json] = {"summary": many_answers.summary_data(self.launches, self.tally)}
        if late:
            tail["waivers"] = [many_answers.row_data(row) for row in late]
        write("\n  ]," + indented(tail)[1:] + "\n", is_json=True)

    def _late(self, late: Sequence[FindingRow]) -> list[Block]:
        if not late:
            return []
        title = self._speaker.say("Waivers out of date", "过期的豁免")
        return [Section(title, [many_answers.rows_block(late, self._speaker)])]

    def _write_next(self, data: dict[str, Json]) -> None:
        # Answers are written as they come: a thousand of them would not fit the memory of a small runner.
        self._open_list()
        write(("," if self._written else "") + f"\n{_MARGIN}" + indented(data, margin=_MARGIN), is_json=True)
        self._written += 1

    def _open_list(self) -> None:
        if not self._written:
            write('{\n  "answers": [', is_json=True)

    def _data(self, checked: Checked, rows: Sequence[FindingRow]) -> dict[str, Json]:
        described = checked.described
        head: dict[str, Json] = {
            "file": described.path,
            "launch": {"kind": described.kind, "name": described.name},
            "line": described.at.line if described.at else None,
        }
        if checked.answer is not None:
            return {**head, **self._answer_data(checked.answer, rows)}
        return {**head, "verdict": "unknown", "unread": [many_answers.row_data(row) for row in rows]}

    def _answer_data(self, answer: CheckAnswer, rows: Sequence[FindingRow]) -> dict[str, Json]:
        data = one_answer.data(answer, self.knowledge)
        findings, refused, own = split_rows(answer, rows)
        for key, mine in (("findings", findings), ("refused", refused), ("problems", own)):
            held = data[key]
            assert isinstance(held, list), "the contract says so"
            for entry, row in zip(held, mine, strict=True):
                assert isinstance(entry, dict), "the contract says so"
                entry["fingerprint"] = row.fingerprint
                entry["accepted"] = many_answers.accepted_data(row)
        return data

    def _page(self, answer: CheckAnswer, rows: Sequence[FindingRow]) -> Page:
        said = [many_answers.accepted_words(row, self._speaker) for row in rows[: len(answer.findings)]]
        wanted = self.wanted
        return one_answer.page(
            answer, self.knowledge, language=wanted.language, is_verbose=wanted.is_verbose, accepted=said
        )

    def _show(self, report: Report) -> None:
        show(report, format_name=self.wanted.format_name)


def relative(path: str) -> str:
    """A path as rows show it: from the folder the run was started in where it lies there, with forward slashes."""
    if not path or path.startswith("<"):
        return path
    absolute = os.path.abspath(path)  # noqa: PTH100  `Path.resolve` would follow links out of the folder
    inside = os.path.relpath(absolute)
    return Path(absolute if inside.startswith("..") else inside).as_posix()
