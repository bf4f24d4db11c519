"""The public reports of the test data as the precedents that ship: what was told and read of each, and its wall."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from knockon.curate.checks.examples import expected_of
from tests.diagnosed import WALL_OF
from tests.shipped import shipped

CHECKED = "2026-11-30"
OPEN_FILE = "open"
_HEAD = """\
# Reports whose cause was {what}: what people told of them, and what was read of that. `make golden` writes
# them from the public reports of the tests; reports of your own go to a file of their own beside this one.
"""
Raw = Mapping[str, Any]


def precedents(reports: Mapping[str, Raw], handed: Mapping[str, Raw]) -> dict[str, dict[str, dict[str, Any]]]:
    """Topic → id → body. `handed` are told by others in their own words, so only their readings are kept."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for key, one in sorted((*reports.items(), *handed.items())):
        wall = WALL_OF.get(one["expected_class"], one["expected_class"])
        is_open = one["insufficient"] or one["expected_class"] == "insufficient_data"
        body: dict[str, Any] = {"source": one["source"], "checked": CHECKED}
        if not is_open:
            body["wall"] = wall
        if key in reports:
            body["told"] = told(one)
        if readings := dict(sorted(_possible(one["readings"]))):
            body["readings"] = readings
        if "told" in body or "readings" in body:
            found.setdefault(OPEN_FILE if is_open else wall, {})[key] = body
    return found


def _possible(readings: Raw) -> Iterator[tuple[str, Any]]:
    """Some reports are about a figure that cannot be."""
    names = shipped().rulebook.vocabulary.names
    return ((name, value) for name, value in readings.items() if not expected_of(names[name], value))


def told(report: Raw) -> str:
    """What was said before anybody knew the cause, in one line."""
    parts = [report.get("symptom"), report.get("config"), report.get("system"), *_observed(report)]
    return " ".join("; ".join(str(part) for part in parts if part).split())


def _observed(report: Raw) -> Iterator[str]:
    for one in report.get("observations") or ():
        value = one["value"] if isinstance(one.get("value"), str) else ""
        yield " ".join(str(part) for part in (one["metric"].replace("_", " "), value, one.get("note")) if part)


def written(topic: str, held: Mapping[str, Mapping[str, Any]]) -> str:
    """A file of `rules/precedents/`."""
    what = "never established" if topic == OPEN_FILE else f"found, the wall {topic}"
    lines = [_HEAD.format(what=what)]
    for key, body in held.items():
        lines.append(f"{key}:\n")
        lines += (f"  {name}: {_scalar(value)}\n" for name, value in body.items())
    return "".join(lines)


def _scalar(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_scalar(one)}" for name, one in value.items()) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and (value == CHECKED or value.startswith("http") or value.isidentifier()):
        return value
    return json.dumps(value, ensure_ascii=False)
