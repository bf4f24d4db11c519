"""Alerts as the files that Prometheus loads: recorded readings, then alerts, then what is left out and why."""

import json
import re
from collections.abc import Iterator, Mapping

from knockon.catalog.catalog import Catalog
from knockon.expr.show import show
from knockon.jobs.alerting.alerts import Alert, Alerts, outranked, series
from knockon.rules.fill import FIELD, shown
from knockon.terms.words import Scalar
from knockon.version import version

# A rule that is surer of itself than this warns; the others inform.
_WARNS_FROM = 0.7
_HUMANIZED = {"percent": "humanizePercentage", "bytes": "humanize1024", "number": "humanize", "tokens": "humanize"}


def readings_document(alerts: Alerts) -> str:
    """The recording rules: the readings that the alerts compare, one value for each group."""
    scope = alerts.scope
    lines = [
        f"# Readings of {scope.engine} for the alerts of Knock-on {version()}; written by `knockon rules export`.",
        f"# One value for each group by {', '.join(scope.by) or 'nothing'}; impossible values and NaN are dropped.",
        "# Metrics of GPUs and hosts must carry the same labels, and be those of what the group runs on.",
        "groups:",
        f"  - name: knockon-{scope.engine}-readings",
        "    rules:" if alerts.recorded else "    rules: []",
    ]
    for one in alerts.recorded:
        lines += [f"      - record: {series(one.name)}", *_expression(one.expression, 8)]
        lines += [f"        labels: {{engine: {scope.engine}}}"]
    return "\n".join(lines) + "\n"


def alerts_document(alerts: Alerts, catalog: Catalog) -> str:
    """The alerting rules; comments say what Alertmanager may hush, and which rules no metric decides."""
    scope = alerts.scope
    lines = [
        f"# Diagnose rules as alerts for {scope.engine}, with the thresholds of the profile {scope.profile}.",
        f"# Written by `knockon rules export`, Knock-on {version()}.",
        "# An alert never fires on a reading that is absent, NaN, or divided by zero.",
        *_inhibitions(alerts),
        "groups:",
        f"  - name: knockon-{scope.engine}-alerts",
        "    rules:" if alerts.alerts else "    rules: []",
    ]
    for alert in alerts.alerts:
        lines += _alert(alert, alerts, catalog)
    if alerts.left_out:
        lines += ["# Left out:"]
        lines += [f"#   {one.rule.id} ({one.rule.kind}): {one.why}" for one in alerts.left_out]
    return "\n".join(lines) + "\n"


def document(alerts: Alerts, catalog: Catalog) -> str:
    """Both as one file."""
    return readings_document(alerts) + alerts_document(alerts, catalog).replace("\ngroups:\n", "\n", 1)


def alert_name(alert: Alert) -> str:
    """The name of the alert: `kv-cache-thrash` is KnockonKvCacheThrash."""
    return "Knockon" + "".join(word.capitalize() for word in alert.rule.kind.split("-"))


def _alert(alert: Alert, alerts: Alerts, catalog: Catalog) -> Iterator[str]:
    rule, scope = alert.rule, alerts.scope
    yield f"      # {rule.id}: {show(rule.when)}"
    yield f"      - alert: {alert_name(alert)}"
    expression = alert.expression
    if alert.leave:
        on = f"on ({', '.join(scope.by)})"
        firing = f'ALERTS{{alertname="{alert_name(alert)}", alertstate="firing", engine="{scope.engine}"}}'
        expression = f"{expression}\nor\n({alert.leave}) and {on} {firing}"
    yield from _expression(expression, 8)
    if rule.for_s:
        yield f"        for: {_duration(rule.for_s)}"
    if rule.keep_firing_for_s:
        yield f"        keep_firing_for: {_duration(rule.keep_firing_for_s)}"
    labels = {
        "severity": "warning" if rule.confidence >= _WARNS_FROM else "info",
        "engine": scope.engine,
        "rule": str(rule.id),
        "kind": rule.kind,
        "wall": str(rule.wall),
        "layer": rule.layer,
    }
    yield "        labels:"
    yield from (f"          {key}: {_scalar(value)}" for key, value in labels.items())
    annotations = {
        "summary": rule.name.en,
        "description": _filled(rule.says.en, alerts),
        "confirm": rule.confirm.en,
        **({"refute": rule.refute.en} if rule.refute else {}),
        "runbook": f"knockon rules show {rule.id}",
        "sources": " ".join(source.citation.url for source in catalog.sources(rule.cite) if source.citation.url),
    }
    yield "        annotations:"
    yield from (f"          {key}: {_scalar(value)}" for key, value in annotations.items() if value)


def _inhibitions(alerts: Alerts) -> Iterator[str]:
    """For Alertmanager: while one alert fires, those that it explains are hushed."""
    pairs = list(outranked(alerts))
    if not pairs:
        return
    equal = ", ".join(("engine", *alerts.scope.by))
    yield "# For Alertmanager, so that an alert hushes those that it explains:"
    yield "#   inhibit_rules:"
    for rule, under in pairs:
        targets = "|".join(under)
        yield f"#     - source_matchers: ['rule=\"{rule}\"']"
        yield f"#       target_matchers: ['rule=~\"{targets}\"']"
        yield f"#       equal: [{equal}]"


def _filled(text: str, alerts: Alerts) -> str:
    """The sentence with thresholds filled in, and readings asked of Prometheus when the alert fires."""
    recorded = {one.name for one in alerts.recorded}
    # A brace of ours must not look like one of the template's.
    return re.sub(FIELD.pattern, lambda match: _field(match, alerts.given, recorded, alerts), text)


def _field(match: re.Match[str], given: Mapping[str, Scalar], recorded: set[str], alerts: Alerts) -> str:
    name, style = match.group(1), match.group(2)
    if name in given:
        return shown(given[name], style)
    if name not in recorded:
        return "unknown"
    scope = alerts.scope
    matchers = ",".join([f"engine='{scope.engine}'", *(f"{label}='%s'" for label in scope.by)])
    labels = "".join(f" $labels.{label}" for label in scope.by)
    asked = f'printf "{series(name)}{{{matchers}}}"{labels} | query'
    humanized = f" | {_HUMANIZED[style]}" if style else ""
    return f"{{{{ with {asked} }}}}{{{{ . | first | value{humanized} }}}}{{{{ else }}}}unknown{{{{ end }}}}"


def _expression(text: str, indent: int) -> Iterator[str]:
    blank = " " * indent
    if "\n" not in text:
        yield f"{blank}expr: {_scalar(text)}"
        return
    yield f"{blank}expr: |-"
    yield from (f"{blank}  {line}" for line in text.split("\n"))


def _duration(seconds: float) -> str:
    return f"{seconds:g}s" if float(seconds).is_integer() else f"{round(seconds * 1000)}ms"


def _scalar(text: str) -> str:
    """A YAML scalar: JSON's strings are YAML's too."""
    return json.dumps(text, ensure_ascii=False)
