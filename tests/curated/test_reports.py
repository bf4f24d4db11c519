"""Public reports and published commands, read as they stand: the cause is named, and what works raises no alarm."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from knockon.cli.deployment import Options, from_file
from knockon.jobs.check import check
from knockon.terms.words import CheckVerdict
from tests.data import read_yaml
from tests.shipped import shipped

_REPORTS: list[Mapping[str, Any]] = read_yaml(Path(__file__).with_name("reports.yaml"))
_ALARMS = (CheckVerdict.CONFLICT, CheckVerdict.DEGRADED)


@pytest.mark.parametrize("report", _REPORTS, ids=[f"{one['source']} {one['model']}" for one in _REPORTS])
def test_a_report_is_answered_with_its_cause(report: Mapping[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    asked = {key: value for key, value in report.items() if key not in ("source", "fires")}
    file.write_text(json.dumps(asked), encoding="utf-8")

    answer = check(shipped(), from_file(str(file), Options()), compares_releases=False)

    alarms = {one.finding.rule.id for one in answer.findings if one.finding.verdict in _ALARMS}
    assert alarms >= set(report.get("fires", ()))
    assert bool(alarms) == bool(report.get("fires"))
    assert (answer.verdict in _ALARMS) == bool(report.get("fires"))
