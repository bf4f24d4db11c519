"""Writes the findings of a report as workflow commands of GitHub Actions: one `::error …::…` a line."""

import re

from knockon.formats.base import FindingRow, Report, RowVerdict

_COMMANDS: dict[RowVerdict, str] = {
    "error": "error",
    "bad-input": "error",
    "conflict": "error",
    "degraded": "warning",
    "note": "notice",
}
# The runner cuts a line at any of these, and would read what follows as a command of its own.
_CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]")


class GithubFormat:
    """Annotations; a finding that does not count is a notice that says why."""

    name = "github"

    def render(self, report: Report, *, width: int, is_coloured: bool) -> str:
        """The findings alone, then one line that counts them; see `Format.render`."""
        del width, is_coloured
        counted = sum(row.accepted is None and row.verdict != "note" for row in report.findings)
        launches, accepted = len(report.launches), sum(row.accepted is not None for row in report.findings)
        lines = [_command(row) for row in report.findings]
        lines.append(
            f"Knock-on checked {launches} launch{'' if launches == 1 else 'es'}: "
            f"{counted} finding{'' if counted == 1 else 's'}, {accepted} known or waived"
        )
        return "\n".join(lines) + "\n"


def _command(row: FindingRow) -> str:
    command = "notice" if row.accepted else _COMMANDS[row.verdict]
    properties = []
    if row.at is not None:
        properties += [f"file={_property(row.at.path)}", f"line={row.at.line}", f"col={row.at.column}"]
        if row.at.column_end is not None:
            properties.append(f"endColumn={row.at.column_end}")
    properties.append(f"title={_property(f'{row.rule.id} {row.rule.title}')}")
    about = f"{row.launch}: " if row.launch else ""
    accepted = f" ({row.accepted})" if row.accepted else ""
    return f"::{command} {','.join(properties)}::{_escaped(about + row.text + accepted)}"


def _escaped(text: str) -> str:
    # As the runner's own toolkit does it: percent first.
    text = _CONTROL.sub(" ", text)
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
