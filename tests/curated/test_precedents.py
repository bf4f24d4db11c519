"""Precedents: are they the public reports, and how often is a report like those of its own wall?"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from knockon.assets import rules_dir
from tests.curated.precedents import precedents, written
from tests.data import read_yaml
from tests.handed.reports import handed_reports

CURATED = Path(__file__).parent


@pytest.fixture(scope="module")
def held(shared_dir: Path) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    return precedents(read_yaml(CURATED / "diagnosis_public.yaml"), handed_reports(shared_dir))


def test_shipped_precedents_are_the_public_reports(
    held: Mapping[str, Mapping[str, Mapping[str, Any]]], golden: Callable[[Path, str], None]
) -> None:
    folder = rules_dir() / "precedents"
    for topic, of_topic in held.items():
        golden(folder / f"{topic}.yaml", written(topic, of_topic))
    assert {path.stem for path in folder.iterdir()} == set(held)
