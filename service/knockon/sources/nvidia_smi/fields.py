"""fields.yaml as values: which field of nvidia-smi is which reading. It is shipped with us: a mistake fails at once."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def table() -> Mapping[str, Any]:
    """The whole table, read once per process."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = Path(__file__).with_name("fields.yaml").read_text(encoding="utf-8")
    held: Mapping[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - either one is a safe loader
    return held


@cache
def known_fields() -> frozenset[str]:
    """Every field that is read, by nvidia-smi's own name."""
    held = table()
    values = {entry["field"] for entries in held["values"].values() for entry in entries}
    shares = {entry[key] for entry in held["shares"].values() for key in ("field", "over")}
    active = {field for groups, kinds in held["active"].values() for field in crossed(groups, kinds)}
    return frozenset(values | shares | active | {field for fields in held["not_zero"].values() for field in fields})


def own_name(title: str, unit: str) -> tuple[str, str]:
    """nvidia-smi's name and the unit of a column that may be called otherwise."""
    alias = table()["aliases"].get(title)
    return (title, unit) if alias is None else (alias["field"], unit or alias["unit"])


def crossed(groups: list[str], kinds: list[str]) -> Iterator[str]:
    """Every kind in every group."""
    return (f"{group}.{kind}" for group in groups for kind in kinds)
