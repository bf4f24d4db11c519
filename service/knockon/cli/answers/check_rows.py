"""The findings of `check` as rows, for formats that know nothing of techniques: rule, place, fingerprint, way out."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from knockon.cli.answers.bad_input import told
from knockon.cli.answers.by_release import releases_line
from knockon.cli.answers.words import Speaker
from knockon.cli.complaint import parts_of
from knockon.engines.base import Refused
from knockon.formats.base import FindingRow, LaunchRow, PlaceRow, RowVerdict, RuleRow
from knockon.jobs.bad_input import BadInput
from knockon.jobs.check import CheckAnswer, CheckedFinding
from knockon.jobs.check_many import Checked
from knockon.jobs.described import Described
from knockon.jobs.fingerprint import Setting, fingerprint, settings_of
from knockon.jobs.releases import ByRelease
from knockon.terms.errors import Problem
from knockon.terms.place import Position
from knockon.terms.words import CheckVerdict

# A word of a command as it is written: up to a blank, a quote or what closes a list.
_WORD = re.compile(r"[^\s\"',\]]+")
_COUNTING: dict[CheckVerdict, RowVerdict] = {
    CheckVerdict.CONFLICT: "conflict",
    CheckVerdict.DEGRADED: "degraded",
    CheckVerdict.NOTE: "note",
}
_NO_FILE = ("<command>", "<stdin>", "")


@dataclass(frozen=True, slots=True)
class Row:
    """A row, and what waivers and fingerprints know it by."""

    row: FindingRow
    settings: tuple[Setting, ...]
    is_bad_input: bool = False
    """Whether it is about a name that nothing goes by, so that the run ends with exit code 2."""


@dataclass
class Rows:
    """Makes rows of answers, one after the other."""

    speaker: Speaker
    relative: Callable[[str], str]
    """A path as rows show it."""
    _rules: dict[str, RuleRow] = field(default_factory=dict)
    _seen: Counter[str] = field(default_factory=Counter)

    def of(self, checked: Checked) -> list[Row]:
        """The findings in their order, then settings refused, then unknown names, then what other releases find.

        An unknown flag that the engine refuses has one row, not two.
        """
        if checked.answer is None:
            return [self._unread(checked)]
        described, answer = checked.described, checked.answer
        lines = described.text.split("\n")
        rows = [self._finding(one, answer, described, lines) for one in answer.findings]
        for refused in answer.refused:
            rule = self._own("refused-setting", "The engine does not start with this", "引擎拒绝以此启动", "conflict")
            text = f"{refused.flag} {refused.value}".strip() + f": {self.speaker.of(refused.why)}"
            row = self._row(rule, text, described, refused.at, lines, ((refused.flag, refused.value),))
            rows.append(replace(row, is_bad_input=refused.is_unknown))
        bad = answer.deployment.bad_input
        rows += [self._bad(one, described, lines) for one in bad if _refusal_of(one, answer.refused) is None]
        for unknown in answer.deployment.unknown_flags if not bad else ():
            rule = self._own("unknown-flag", "A flag that is not known", "未知参数", "note")
            meant = self.speaker.say(" or ", " 或 ").join(unknown.suggestions)
            text = unknown.flag + (
                self.speaker.say(f": did you mean {meant}?", f"：是否想写 {meant}？") if meant else ""
            )
            rows.append(self._row(rule, text, described, unknown.at, lines, ((unknown.flag, unknown.value or ""),)))
        graves = (one for one in answer.other_releases if one.rule.verdict is not CheckVerdict.NOTE)
        rows += [self._other_release(one, answer, described, lines) for one in graves]
        return rows

    def launch(self, checked: Checked) -> LaunchRow:
        """The launch itself, also where nothing was found."""
        described, answer = checked.described, checked.answer
        path, line = self.relative(described.path), described.at.line if described.at else 1
        if answer is None:
            verdict = "unknown" if _is_other_engine(checked.problem) else "error"
            return LaunchRow(path, described.launch, verdict, checked.problem.what if checked.problem else "", line)
        return LaunchRow(path, described.launch, answer.verdict.value, self._says(answer), line)

    def _says(self, answer: CheckAnswer) -> str:
        needs = list(dict.fromkeys(name for one in answer.cannot_tell for name in one.needs))
        if answer.verdict is not CheckVerdict.UNKNOWN or not needs:
            return ""
        listed = self.speaker.listed(needs)
        return self.speaker.say(f"cannot be told without {listed}", f"缺少 {listed}，无法判断")

    def _bad(self, one: BadInput, described: Described, lines: Sequence[str]) -> Row:
        titles = {
            "unknown-flag": ("A flag that is not known", "未知参数"),
            "unknown-model": ("A model that is not known", "未知模型"),
        }
        rule = self._own(one.code, *titles[one.code], "bad-input")
        row = self._row(rule, told(one, self.speaker), described, one.at, lines, ((one.name, ""),))
        return replace(row, is_bad_input=True)

    def _unread(self, checked: Checked) -> Row:
        problem = checked.problem or Problem("unreadable", "nothing in it can be checked")
        at = problem.at or checked.described.at
        said = parts_of(problem, self.speaker.language)
        if _is_other_engine(problem):
            rule = self._own("unknown-engine", "An engine that is not known here", "未知引擎", "note")
        else:
            rule = self._own("unreadable", "This cannot be read", "无法读取", "error")
        return self._row(rule, said, checked.described, at, [], ((problem.code, parts_of(problem, "en")),))

    def _finding(self, checked: CheckedFinding, answer: CheckAnswer, described: Described, lines: Sequence[str]) -> Row:
        finding = checked.finding
        rule = self._rules.get(finding.rule.id)
        if rule is None:
            rule = self._rules[finding.rule.id] = self._rule(checked)
        text = self.speaker.of(finding.says)
        if checked.by_release is not None:
            text = f"{text}\n{releases_line(checked.by_release, self.speaker)}"
        if checked.fixes:
            fix = self.speaker.of(checked.fixes[0].offered.says)
            text = self.speaker.say(f"{text}\nWhat to do: {fix}", f"{text}\n对策：{fix}")
        settings = settings_of(finding, answer.deployment.facts)
        return self._row(rule, text, described, finding.at, lines, settings)

    def _other_release(self, one: ByRelease, answer: CheckAnswer, described: Described, lines: Sequence[str]) -> Row:
        # Under a name of its own: it counts for nothing here, and is not the finding of who names that release.
        rule = self._own("other-release", "What another release finds", "其他版本中的结论", "note")
        finding = one.finding
        says = f"{one.rule.id} {self.speaker.of(finding.says)}" if finding else one.rule.id
        settings = settings_of(finding, answer.deployment.facts) if finding else ()
        text = f"{releases_line(one, self.speaker)} {says}"
        at = finding.at if finding else None
        return self._row(rule, text, described, at, lines, (("rule", one.rule.id), *settings))

    def _rule(self, checked: CheckedFinding) -> RuleRow:
        rule = checked.finding.rule
        title = self.speaker.of(rule.name)
        sources = list(self.speaker.catalog.sources(rule.cite))
        lines = [f"**{title}**", "", self.speaker.say("When:", "条件："), "", "```", rule.when_text, "```", ""]
        lines += [self.speaker.say("Sources:", "来源："), ""]
        for one in sources:
            lines.append(f"- [{one.title}]({one.url})" + (f": {one.where}" if one.where else ""))
        url = next((one.url for one in sources if one.url.startswith("http")), "")
        return RuleRow(rule.id, title, _COUNTING[rule.verdict], "\n".join(lines), url)

    def _own(self, key: str, en: str, zh: str, verdict: RowVerdict) -> RuleRow:
        return self._rules.setdefault(key, RuleRow(key, self.speaker.say(en, zh), verdict))

    def _row(
        self,
        rule: RuleRow,
        text: str,
        described: Described,
        at: Position | None,
        lines: Sequence[str],
        settings: tuple[Setting, ...],
    ) -> Row:
        path = self.relative(described.path)
        name = self.relative(described.name) if described.name == described.path else described.name
        first = fingerprint(rule.id, path=path, kind=described.kind, name=name, settings=settings)
        nth = self._seen[first]
        self._seen[first] += 1
        if nth:
            first = fingerprint(rule.id, path=path, kind=described.kind, name=name, settings=settings, nth=nth)
        row = FindingRow(
            rule=rule,
            verdict=rule.verdict,
            text=text,
            fingerprint=first,
            path=path,
            launch=described.launch,
            at=self._place(at or described.at, described.path, lines),
        )
        return Row(row, settings)

    def _place(self, at: Position | None, path: str, lines: Sequence[str]) -> PlaceRow | None:
        if at is None or at.path in _NO_FILE:
            return None
        end = None
        if at.path == path and at.line <= len(lines):
            word = _WORD.match(lines[at.line - 1].rstrip("\r"), at.column - 1)
            end = word.end() + 1 if word else None
        return PlaceRow(self.relative(at.path), at.line, at.column, end)


def split_rows(
    answer: CheckAnswer, rows: Sequence[FindingRow]
) -> tuple[Sequence[FindingRow], Sequence[FindingRow], Sequence[FindingRow]]:
    """The rows of one answer: one for each finding, for each refused setting, for each name that nothing goes by."""
    first, second = len(answer.findings), len(answer.findings) + len(answer.refused)
    refused, own = rows[first:second], iter(rows[second:])
    bad = []
    for one in answer.deployment.bad_input:
        index = _refusal_of(one, answer.refused)
        bad.append(next(own) if index is None else refused[index])
    return rows[:first], refused, bad


def _refusal_of(bad: BadInput, refused: Sequence[Refused]) -> int | None:
    """Which of the refused settings is the same unknown flag; None where none is."""
    for index, one in enumerate(refused):
        if one.is_unknown and one.at == bad.at and bad.name.startswith(one.flag.removesuffix("...")):
            return index
    return None


def _is_other_engine(problem: Problem | None) -> bool:
    """Whether it starts an engine that nothing is known of, which is no fault of the file."""
    return problem is not None and problem.code == "unknown-program"
