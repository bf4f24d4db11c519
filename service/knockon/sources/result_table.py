"""fields.yaml of a load generator as values: which field of its result is which reading, and in which unit."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from knockon.terms.unit import Unit, parse_unit

# What a result says beside readings, with the unit it is wanted in. Readings are derived from it, in result_derived.
KNOWN: Mapping[str, Unit] = {
    name: parse_unit(unit)
    for name, unit in {
        "finished": "request",
        "failed": "request",
        "started": "request",
        "duration_s": "s",
        "input_tokens": "token",
        "output_tokens": "token",
        "input_mean": "token",
        "output_mean": "token",
        "output_asked": "token",
        "ttft_mean_s": "s",
        "tpot_mean_s": "s",
        "e2e_mean_s": "s",
        "rate_asked": "request/s",
        "rate_sent": "request/s",
        "concurrency_asked": "request",
        "in_flight_mean": "request",
        "in_flight_peak": "request",
        "warm_up": "request",
    }.items()
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a result and the unit of its numbers."""

    path: str
    unit: str


@dataclass(frozen=True, slots=True)
class Table:
    """What is read of one tool's results."""

    title: str
    """What people call the tool."""
    shows: tuple[tuple[str, ...], ...]
    """Keys that stand near the beginning of its results; of one of the groups all."""
    readings: Mapping[str, tuple[Field, ...]]
    """By reading; the first field that is there counts."""
    known: Mapping[str, tuple[Field, ...]]
    """By name of `KNOWN`."""
    texts: Mapping[str, tuple[str, ...]]
    """Paths of words: model, dataset, backend, streamed."""


@cache
def table_of(folder: Path, file: str = "fields.yaml") -> Table:
    """A table of one member, read once per process. It is shipped with us: a mistake fails at once."""
    held = _with_family(_held(folder / file))
    known = _fields(held.get("known", {}))
    strange = known.keys() - KNOWN.keys()
    if strange:
        raise ValueError(f"{folder.name}/{file}: nothing is called {sorted(strange)}")
    return Table(
        title=held["title"],
        shows=tuple(tuple(group) for group in held.get("shows", ())),
        readings=_fields(held["readings"]),
        known=known,
        texts={name: tuple(paths) for name, paths in held.get("texts", {}).items()},
    )


def _held(file: Path) -> Mapping[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    held: Mapping[str, Any] = yaml.load(file.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - a safe loader
    return held


def _with_family(held: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table with what the tools of one family share, where it names their file; its own entries come first."""
    if "family" not in held:
        return held
    shared = _held(Path(__file__).with_name(held["family"]))
    parts = {}
    for part in ("readings", "known"):
        own, theirs = held.get(part, {}), shared.get(part, {})
        parts[part] = {name: [*own.get(name, ()), *theirs.get(name, ())] for name in dict.fromkeys([*theirs, *own])}
    return {**held, **parts}


def _fields(held: Mapping[str, list[str]]) -> dict[str, tuple[Field, ...]]:
    """Each entry is "path unit"; the unit is left out where it is the base unit."""
    return {
        name: tuple(Field(path, unit.strip()) for path, _, unit in (entry.partition(" ") for entry in entries))
        for name, entries in held.items()
    }
