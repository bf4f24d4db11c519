"""The cases of every engine: a command, and exactly what must be read of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import knockon.engines
from knockon.curate.cases import read_cases
from knockon.engines import ENGINES, read_command
from knockon.jobs.selftest.outcome import Outcome, difference
from knockon.manifests.command import split_command
from knockon.terms.errors import KnockonError


def engine_outcomes() -> Iterator[Outcome]:
    """One outcome per case of every member."""
    folder = Path(next(iter(knockon.engines.__path__)))
    for name in ENGINES:
        for case in read_cases(folder / name / "cases.yaml"):
            yield Outcome("engines", name, case["name"], _problem(name, case))


def _problem(engine: str, case: dict[str, Any]) -> str:
    try:
        got = _read(case)
    except KnockonError as error:
        return difference({"error": case.get("error")}, {"error": str(error)})
    except Exception as error:  # noqa: BLE001  what breaks here is what the test is for
        return f"{type(error).__name__}: {error}"
    version = case.get("version", case.get("version_read"))
    wanted = {
        "error": case.get("error"),
        "engine": engine,
        "version": version,
        "model": case.get("model"),
        "facts": {"engine": engine, **({"engine_version": version} if version else {}), **case.get("facts", {})},
        "defaults": case.get("defaults", {}),
        "without": [],
        "unknown": case.get("unknown", []),
        "refused": case.get("refused", []),
        "notes": case.get("notes", []),
    }
    return difference(wanted, got)


def _read(case: dict[str, Any]) -> dict[str, object]:
    words = split_command(case["command"], path="test")
    read = read_command(words, version=case.get("version"), files=case.get("files"))
    facts = read.by_name()
    return {
        "engine": read.engine,
        "version": read.engine_version,
        "model": read.model,
        "facts": {name: fact.value for name, fact in facts.items() if fact.origin.kind != "engine-default"},
        "defaults": {name: facts[name].value for name in case.get("defaults", {}) if name in facts},
        "without": [name for name in case.get("without", []) if name in facts],
        "unknown": [
            {"flag": each.flag, "suggestions": list(each.suggestions), **({"value": each.value} if each.value else {})}
            for each in read.unknown_flags
        ],
        "refused": [{"flag": each.flag, "value": each.value, "why": each.why.en} for each in read.refused],
        "notes": [note.en for note in read.notes],
    }
