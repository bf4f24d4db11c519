"""Writes the findings of a report as GitLab's Code Quality JSON: a list of issues, each with its fingerprint."""

import json

from knockon.formats.base import FindingRow, Report, RowVerdict
from knockon.terms.words import Json

_SEVERITIES: dict[RowVerdict, str] = {
    "error": "blocker",
    "bad-input": "critical",
    "conflict": "critical",
    "degraded": "major",
    "note": "info",
}


class GitlabFormat:
    """The Code Quality report; GitLab has no word for an accepted finding, so it becomes `info` and says why."""

    name = "gitlab"

    def render(self, report: Report, *, width: int, is_coloured: bool) -> str:
        """The findings alone; see `Format.render`."""
        del width, is_coloured
        return json.dumps([_issue(row) for row in report.findings], indent=2, ensure_ascii=False) + "\n"


def _issue(row: FindingRow) -> Json:
    about = f" [{row.launch}]" if row.launch else ""
    accepted = f" ({row.accepted})" if row.accepted else ""
    return {
        "type": "issue",
        "description": f"{row.rule.id} {row.rule.title}{about}: {row.text}{accepted}",
        "check_name": row.rule.id,
        "fingerprint": row.fingerprint,
        "severity": "info" if row.accepted else _SEVERITIES[row.verdict],
        "location": {
            # A finding on no file belongs to the command that was checked; GitLab drops issues without a path.
            "path": row.at.path if row.at else "<command>",
            "lines": {"begin": row.at.line if row.at else 1},
        },
    }
