"""The proof of exported alerts: every example of every exported rule as a unit test of promtool."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from knockon.backends.python.walk import judge_one
from knockon.catalog.catalog import Catalog
from knockon.expr.vocabulary import Vocabulary
from knockon.jobs.alerting.alerts import COMPARED, Alert, Alerts, series
from knockon.jobs.alerting.documents import alert_name, alerts_document, readings_document
from knockon.jobs.promtool import sample
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

_STEP_S = 15


def files_of(alerts: Alerts, catalog: Catalog, vocabulary: Vocabulary) -> dict[str, str]:
    """File name → text: readings, alerts, and the tests that prove the alerts."""
    engine = alerts.scope.engine
    named = f"knockon-{engine}-alerts.yaml"
    return {
        f"knockon-{engine}-readings.yaml": readings_document(alerts),
        named: alerts_document(alerts, catalog),
        f"knockon-{engine}-tests.yaml": tests_document(alerts, vocabulary, rule_file=named),
    }


def write_files(files: Mapping[str, str], folder: Path) -> list[Path]:
    """Write each file into `folder`, which is made where it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        written.append(folder / name)
    return written


def tests_document(alerts: Alerts, vocabulary: Vocabulary, *, rule_file: str) -> str:
    """For `promtool test rules`: the recorded readings as each example gives them, and whether the alert then fires."""
    tests = [test for alert in alerts.alerts for test in _tests(alert, alerts, vocabulary)]
    document = {"rule_files": [rule_file], "evaluation_interval": f"{_STEP_S}s", "tests": tests}
    # One test a line: JSON is YAML, and a failing one is found by its name.
    head = f"# The examples of the exported rules, for `promtool test rules`.\nrule_files: {json.dumps([rule_file])}\n"
    head += f"evaluation_interval: {document['evaluation_interval']}\n"
    if not tests:
        return head + "tests: []\n"
    return head + "tests:\n" + "".join(f"  - {json.dumps(test, ensure_ascii=False)}\n" for test in tests)


def _tests(alert: Alert, alerts: Alerts, vocabulary: Vocabulary) -> Iterator[dict[str, Any]]:
    scope = alerts.scope
    labels = {"engine": scope.engine, **dict.fromkeys(scope.by, "one")}
    matchers = ", ".join(f'{key}="{value}"' for key, value in labels.items())
    at_s = max(alert.rule.for_s, 0) + 4 * _STEP_S
    steps = int(at_s // _STEP_S) + 1
    for example in alert.rule.examples:
        values = _values(example.given, alerts.given)
        fires = judge_one(alert.rule.when, values, vocabulary=vocabulary) is Truth.TRUE
        found = []
        for name, value in values.items():
            held = sample(vocabulary.info(name), value) if name in alert.names else None
            if held is not None:
                found.append({"series": f"{series(name)}{{{matchers}}}", "values": f"{held}x{steps}"})
        firing = f'count(ALERTS{{alertname="{alert_name(alert)}", alertstate="firing", {matchers}}})'
        answers = [{"labels": "{}", "value": 1}] if fires else []
        yield {
            "name": f"{alert.rule.id} {example.name}: {'fires' if fires else 'does not fire'}",
            "interval": f"{_STEP_S}s",
            "input_series": found,
            "promql_expr_test": [{"expr": firing, "eval_time": f"{at_s:g}s", "exp_samples": answers}],
        }


def _values(given: Mapping[str, Scalar], known: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """What an example gives, with what was set for the whole export over it: it is in the alerts already.

    A derived truth becomes readings that lead to it.
    """
    values = {**given, **known}
    for truth, (less, more) in COMPARED.items():
        limit = values.get(more)
        if not isinstance(limit, int | float):
            continue
        if isinstance(values.get(truth), bool):
            values[less] = limit / 2 if values[truth] else limit * 2
        elif isinstance(found := values.get(less), int | float):
            values[truth] = found < limit
    return values
