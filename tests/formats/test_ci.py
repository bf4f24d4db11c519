"""What the readers of CI formats hold us to, beyond the cases: the standard's required fields, parsers of others."""

import json
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from knockon.formats import FORMATS
from knockon.formats.base import Accepted, FindingRow, LaunchRow, Page, PlaceRow, Report, RowVerdict, RuleRow
from tests.texts import texts

TEXTS = texts(max_size=60)
VERDICTS: list[RowVerdict] = ["error", "conflict", "degraded", "note"]
PLACES = st.builds(PlaceRow, TEXTS, st.integers(0, 99), st.integers(0, 99), st.none() | st.integers(0, 99))
ACCEPTED = st.builds(Accepted, st.sampled_from(["known", "waived"]), TEXTS, st.just("2027-01-31"), TEXTS)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    rules = [RuleRow(f"K{n:03}", draw(TEXTS), draw(st.sampled_from(VERDICTS)), draw(TEXTS)) for n in range(3)]
    rows = []
    for n in range(draw(st.integers(0, 4))):
        rule = draw(st.sampled_from(rules))
        place, accepted = draw(st.none() | PLACES), draw(st.none() | ACCEPTED)
        rows.append(FindingRow(rule, rule.verdict, draw(TEXTS), f"{n:032}", draw(TEXTS), draw(TEXTS), place, accepted))
    launches = draw(st.lists(st.builds(LaunchRow, TEXTS, TEXTS, st.sampled_from(["fine", "unknown"])), max_size=3))
    return Report({}, Page([]), rows, launches, "0.1.0")


def rendered(name: str, report: Report) -> str:
    return FORMATS[name].render(report, width=80, is_coloured=False)


@given(reports())
def test_sarif_has_what_the_standard_requires(report: Report) -> None:
    log: dict[str, Any] = json.loads(rendered("sarif", report))

    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    shown = [row for row in report.findings if row.verdict != "error"]
    assert [result["ruleId"] for result in run["results"]] == [row.rule.id for row in shown]
    for result, row in zip(run["results"], shown, strict=True):
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert isinstance(result["message"]["text"], str)
        assert result["partialFingerprints"] == {"knockon/v1": row.fingerprint}
        assert ("suppressions" in result) is (row.accepted is not None)
        for suppression in result.get("suppressions", ()):
            assert (suppression["kind"], suppression["status"]) == ("external", "accepted")
    unread = run["invocations"][0]
    assert unread["executionSuccessful"] is (len(shown) == len(report.findings))
    assert len(unread["toolExecutionNotifications"]) == len(report.findings) - len(shown)
    for location in places_of(run):
        region = location["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
        assert region.get("endColumn", region["startColumn"] + 1) > region["startColumn"]
        # RFC 3986: nothing but what an address may hold.
        assert re.fullmatch(r"[A-Za-z0-9._~:/%-]*", location["artifactLocation"]["uri"])


def places_of(run: dict[str, Any]) -> list[dict[str, Any]]:
    holders = [*run["results"], *run["invocations"][0]["toolExecutionNotifications"]]
    found = [location for holder in holders for location in holder["locations"]]
    return [location["physicalLocation"] for location in found if "physicalLocation" in location]


@given(reports())
def test_junit_is_xml_whose_counts_are_right(report: Report) -> None:
    root = ElementTree.fromstring(rendered("junit", report))

    assert root.tag == "testsuites"
    for suite in (root, *root.iter("testsuite")):
        cases = list(suite.iter("testcase"))
        assert int(suite.attrib["tests"]) == len(cases)
        errors = [case for case in cases if case.find("error") is not None]
        failures = [case for case in cases if case.find("failure") is not None and case not in errors]
        assert int(suite.attrib["errors"]) == len(errors)
        assert int(suite.attrib["failures"]) == len(failures)
        assert int(suite.attrib["skipped"]) == len([case for case in cases if case.find("skipped") is not None])
    told = sum(len(case.findall("failure")) + len(case.findall("error")) for case in root.iter("testcase"))
    assert told == sum(row.accepted is None and row.verdict != "note" for row in report.findings)


@given(reports())
def test_github_gets_one_command_a_line_and_no_other(report: Report) -> None:
    # As the runner splits what it reads.
    lines = re.split(r"\r\n|\r|\n", rendered("github", report))

    assert lines.pop() == ""
    assert len(lines) == len(report.findings) + 1
    for line in lines[:-1]:
        assert re.fullmatch(
            r"::(error|warning|notice) ((file|line|col|endColumn|title)=[^,:]*,?)+::.*", line, re.DOTALL
        )


@given(reports())
def test_gitlab_gets_a_list_of_whole_issues(report: Report) -> None:
    issues = json.loads(rendered("gitlab", report))

    assert [issue["fingerprint"] for issue in issues] == [row.fingerprint for row in report.findings]
    for issue in issues:
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["description"]
        assert issue["check_name"]
        assert isinstance(issue["location"]["path"], str)
        assert isinstance(issue["location"]["lines"]["begin"], int)
