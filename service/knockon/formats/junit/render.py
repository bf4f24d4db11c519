"""Writes a report as JUnit XML: a suite for each file, a case for each launch, a failure for what counts."""

import re
from collections.abc import Sequence

from knockon.formats.base import FindingRow, LaunchRow, Report

# What XML 1.0 has no way to write, not even escaped (section 2.2, Char).
_FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# The library's own escapes (xml.sax.saxutils) bring a client for HTTP with them, which costs more than a whole report.
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = {**_IN_TEXT, **str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})}


class JunitFormat:
    """The XML that Jenkins, GitLab and most CI servers read."""

    name = "junit"

    def render(self, report: Report, *, width: int, is_coloured: bool) -> str:
        """The launches and what was found in each; see `Format.render`."""
        del width, is_coloured
        suites: dict[str, list[_Case]] = {}
        cases: dict[tuple[str, str], _Case] = {}
        for launch in report.launches:
            case = cases[launch.path, launch.launch] = _Case(launch)
            suites.setdefault(launch.path, []).append(case)
        for row in report.findings:
            path = row.path or (row.at.path if row.at else "")
            held = cases.get((path, row.launch))
            if held is None:
                held = cases[path, row.launch] = _Case(LaunchRow(path, row.launch, row.verdict))
                suites.setdefault(path, []).append(held)
            held.rows.append(row)
        everything = [case for held_cases in suites.values() for case in held_cases]
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="knockon"{_counts(everything)}>']
        for path, held_cases in suites.items():
            lines.append(f"  <testsuite name={_attribute(path or 'knockon')}{_counts(held_cases)}>")
            for case in held_cases:
                lines += case.lines()
            lines.append("  </testsuite>")
        lines.append("</testsuites>")
        return "\n".join(lines) + "\n"


class _Case:
    """One test case while its rows are being gathered."""

    def __init__(self, launch: LaunchRow) -> None:
        self.launch = launch
        self.rows: list[FindingRow] = []

    @property
    def errors(self) -> list[FindingRow]:
        """What could not be read, and what names nothing that is known."""
        return [row for row in self.rows if row.accepted is None and row.verdict in ("error", "bad-input")]

    @property
    def failures(self) -> list[FindingRow]:
        """The findings that count."""
        return [row for row in self.rows if row.accepted is None and row.verdict in ("conflict", "degraded")]

    @property
    def is_skipped(self) -> bool:
        """Whether nothing can be said, good or bad."""
        return self.launch.verdict == "unknown" and not self.errors and not self.failures

    def lines(self) -> list[str]:
        """The element, line by line."""
        name = self.launch.launch or self.launch.path or "knockon"
        inner = [_element("error", row) for row in self.errors]
        inner += [_element("failure", row) for row in self.failures]
        if self.is_skipped:
            inner.append(f"      <skipped message={_attribute(self.launch.says)}/>")
        rest = [row for row in self.rows if row not in self.errors and row not in self.failures]
        if rest:
            inner.append(f"      <system-out>{_text(chr(10).join(map(_said, rest)))}</system-out>")
        at = f' file={_attribute(self.launch.path)} line="{self.launch.line}"' if self.launch.path else ""
        head = f"    <testcase name={_attribute(name)} classname={_attribute(self.launch.path or 'knockon')}{at}"
        return [f"{head}>", *inner, "    </testcase>"] if inner else [f"{head}/>"]


def _counts(cases: Sequence[_Case]) -> str:
    failed = sum(bool(case.failures) and not case.errors for case in cases)
    unread = sum(bool(case.errors) for case in cases)
    skipped = sum(case.is_skipped for case in cases)
    return f' tests="{len(cases)}" failures="{failed}" errors="{unread}" skipped="{skipped}" time="0"'


def _element(tag: str, row: FindingRow) -> str:
    message = f"{row.rule.id} {row.rule.title}"
    return f"      <{tag} type={_attribute(row.verdict)} message={_attribute(message)}>{_text(_said(row))}</{tag}>"


def _said(row: FindingRow) -> str:
    place = f"{row.at.path}:{row.at.line}:{row.at.column}: " if row.at else ""
    accepted = f" ({row.accepted})" if row.accepted else ""
    return f"{place}{row.rule.id} {row.verdict}{accepted}: {row.text}"


def _attribute(text: str) -> str:
    return f'"{_FORBIDDEN.sub(chr(0xFFFD), text).translate(_IN_ATTRIBUTE)}"'


def _text(text: str) -> str:
    return _FORBIDDEN.sub(chr(0xFFFD), text).translate(_IN_TEXT)
