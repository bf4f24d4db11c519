"""Writes the findings of a report as SARIF 2.1.0 (OASIS, 27 March 2020): one run, its rules, its results."""

import json
from collections.abc import Iterable
from urllib.parse import quote

from knockon.formats.base import Accepted, FindingRow, PlaceRow, Report, RowVerdict, RuleRow
from knockon.terms.words import Json

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: dict[RowVerdict, str] = {
    "error": "error",
    "bad-input": "error",
    "conflict": "error",
    "degraded": "warning",
    "note": "note",
}
# GitHub reads it: the folder of the checkout, which a relative path starts from.
_ROOT = "%SRCROOT%"


class SarifFormat:
    """One SARIF log with one run."""

    name = "sarif"

    def render(self, report: Report, *, width: int, is_coloured: bool) -> str:
        """The findings alone; see `Format.render`."""
        del width, is_coloured
        rules: dict[str, RuleRow] = {}
        for row in report.findings:
            rules.setdefault(row.rule.id, row.rule)
        indexes = {rule_id: index for index, rule_id in enumerate(rules)}
        unread = [row for row in report.findings if row.verdict == "error"]
        run: dict[str, Json] = {
            "tool": {"driver": _driver(report.version, rules.values())},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder the check was started in."}}},
            "invocations": [
                {
                    "executionSuccessful": not unread,
                    "toolExecutionNotifications": [_notification(row) for row in unread],
                }
            ],
            "results": [_result(row, indexes[row.rule.id]) for row in report.findings if row.verdict != "error"],
        }
        log: dict[str, Json] = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
        return json.dumps(log, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _driver(version: str, rules: Iterable[RuleRow]) -> dict[str, Json]:
    driver: dict[str, Json] = {"name": "Knock-on", "rules": [_rule(rule) for rule in rules]}
    if version:
        driver["version"] = version
    return driver


def _rule(rule: RuleRow) -> Json:
    written: dict[str, Json] = {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.title},
        "defaultConfiguration": {"level": _LEVELS[rule.verdict]},
        "properties": {"tags": ["deployment", rule.verdict]},
    }
    if rule.help:
        written["help"] = {"text": rule.help, "markdown": rule.help}
    if rule.url:
        written["helpUri"] = rule.url
    return written


def _result(row: FindingRow, index: int) -> Json:
    result: dict[str, Json] = {
        "ruleId": row.rule.id,
        "ruleIndex": index,
        "level": _LEVELS[row.verdict],
        "message": {"text": row.text},
        "locations": _locations(row),
        "partialFingerprints": {"knockon/v1": row.fingerprint},
        "properties": {"verdict": row.verdict, **({"launch": row.launch} if row.launch else {})},
    }
    if row.accepted is not None:
        # An empty list would say that suppressions were looked for and none was found: it is left out instead.
        result["suppressions"] = [_suppression(row.accepted)]
    return result


def _suppression(accepted: Accepted) -> Json:
    written: dict[str, Json] = {"kind": "external", "status": "accepted", "justification": str(accepted)}
    if accepted.kind == "waived":
        written["properties"] = {"reason": accepted.reason, "expires": accepted.expires, "at": accepted.at}
    return written


def _notification(row: FindingRow) -> Json:
    return {
        "level": "error",
        "message": {"text": row.text},
        "descriptor": {"id": row.rule.id},
        "locations": _locations(row),
    }


def _locations(row: FindingRow) -> list[Json]:
    """Where it is; a finding on a command line is nowhere."""
    location: dict[str, Json] = {}
    if row.at is not None:
        location["physicalLocation"] = {"artifactLocation": _artifact(row.at.path), "region": _region(row.at)}
    if row.launch:
        location["logicalLocations"] = [{"fullyQualifiedName": row.launch, "kind": "resource"}]
    return [location] if location else []


def _artifact(path: str) -> dict[str, Json]:
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    # A Windows drive would read as a scheme.
    if path[1:2] == ":":
        return {"uri": f"file:///{quote(path, safe='/:')}"}
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _region(at: PlaceRow) -> dict[str, Json]:
    region: dict[str, Json] = {"startLine": max(at.line, 1), "startColumn": max(at.column, 1)}
    if at.column_end is not None and at.column_end > at.column:
        region["endColumn"] = at.column_end
    return region
