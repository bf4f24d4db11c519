"""The catalog against the handed lists of techniques and couplings, and against the taxonomies of others.

The lists are read where they are present. Which techniques stand for which leaf of a taxonomy is data of ours:
tests/curated/taxonomies.yaml.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from knockon.terms.errors import NotFound
from tests.data import read_yaml
from tests.shipped import shipped

CATALOG = shipped().catalog
CATALOG_FOLDER = Path(__file__).parents[2] / "catalog"
TAXONOMIES: Mapping[str, Mapping[str, list[str]]] = read_yaml(
    Path(__file__).parents[1].joinpath("curated", "taxonomies.yaml")
)


def listed(folder: Path, name: str) -> list[dict[str, Any]]:
    file = folder / "research" / "coverage" / name
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def named(entry: Mapping[str, Any]) -> str | None:
    """The id of the technique that goes by the entry's id, name or an alias."""
    for name in (entry["id"], entry["name"], *(alias["text"] for alias in entry["aliases"])):
        try:
            return CATALOG.technique(name).id
        except NotFound:
            continue
    return None


def test_every_handed_technique_is_found_by_its_id_name_or_alias(shared_dir: Path) -> None:
    assert [entry["id"] for entry in listed(shared_dir, "techniques.jsonl") if named(entry) is None] == []


def test_handed_techniques_are_placed_alike(shared_dir: Path) -> None:
    entries = listed(shared_dir, "techniques.jsonl")
    other = [entry["id"] for entry in entries if not _placed_alike(entry)]

    assert len(other) <= len(entries) * 0.1, other


def _placed_alike(entry: Mapping[str, Any]) -> bool:
    """Whether one cell has the entry's stage and one of its layers, and the primary dimension is the same."""
    key = named(entry)
    if key is None:
        return False
    cells = CATALOG.technique(key).cells
    at = any(cell.stage == entry["stage"] and cell.layer in entry["layers"] for cell in cells)
    return at and any(cell.dimension == entry["improves"] for cell in cells if cell.stage == entry["stage"])


def test_another_home_than_the_handed_one_has_its_reason_in_the_file(shared_dir: Path) -> None:
    without = [
        entry["id"] for entry in listed(shared_dir, "techniques.jsonl") if not _home_alike(entry) and not _reason(entry)
    ]

    assert without == []


def _home_alike(entry: Mapping[str, Any]) -> bool:
    key = named(entry)
    assert key is not None
    home = CATALOG.technique(key).cells[0]
    return (home.stage, home.dimension) == (entry["stage"], entry["improves"]) and home.layer in entry["layers"]


def _reason(entry: Mapping[str, Any]) -> bool:
    """Whether a line above the cells says why home is where it is."""
    key = named(entry)
    assert key is not None
    file = CATALOG_FOLDER / "techniques" / CATALOG.technique(key).cells[0].stage / f"{key}.yaml"
    text = file.read_text(encoding="utf-8")
    return re.search(r"^# Home is .+ and not .+: .+\.\ncells:$", text, re.MULTILINE) is not None


def test_every_leaf_of_the_taxonomies_has_its_line(shared_dir: Path) -> None:
    text = (shared_dir / "research" / "coverage" / "surveys.md").read_text(encoding="utf-8")

    assert {key: list(leaves) for key, leaves in TAXONOMIES.items()} == _leaves(text)


def _leaves(text: str) -> dict[str, list[str]]:
    """The leaves of each taxonomy: lines of "- **group**: leaf (2); leaf† (1); leaf ∅" under a line with its key."""
    found: dict[str, list[str]] = {}
    under: list[str] = []
    for line in text.splitlines():
        if key := re.match(r"- key `([^`]+)`", line):
            under = found[key[1]] = []
        elif group := re.match(r"- \*\*(.+?)\*\*: (.+)$", line):
            under += [f"{group[1]}: {leaf}" for leaf in re.findall(r"(.+?)†? (?:\(\d+\)|∅)(?:; |$)", group[2])]
    return found


@pytest.mark.parametrize("key", TAXONOMIES)
def test_nine_of_ten_leaves_of_a_taxonomy_have_a_technique(key: str) -> None:
    leaves = TAXONOMIES[key]
    held = [leaf for leaf, techniques in leaves.items() if techniques]

    assert len(held) >= 0.9 * len(leaves), sorted(leaves.keys() - set(held))


@pytest.mark.parametrize("key", TAXONOMIES)
def test_techniques_of_the_leaves_are_in_the_catalog(key: str) -> None:
    named_here = {one for techniques in TAXONOMIES[key].values() for one in techniques}

    assert sorted(one for one in named_here if CATALOG.techniques.get(one) is None) == []  # type: ignore[call-overload]
