from pathlib import Path

import pytest

from knockon.curate.tree import read_tree
from knockon.jobs.diff_answers import changed_answers
from knockon.jobs.knowledge import Knowledge, knowledge_of
from tests.curate.trees import changed, written

SHARDING = "catalog/techniques/inference/sharding.yaml"


def state(folder: Path, *change: str) -> Knowledge:
    files = changed(*change) if change else {}
    return knowledge_of(read_tree(*written(folder, files)))


@pytest.fixture
def before(tmp_path: Path) -> Knowledge:
    return state(tmp_path / "before")


def asked(old: Knowledge, new: Knowledge) -> dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]:
    return {(one.question, one.asked): (one.gone, one.come) for one in changed_answers(old, new)}


def test_same_state_changes_no_answer(before: Knowledge) -> None:
    assert changed_answers(before, before) == ()


def test_sentence_changes_no_answer(before: Knowledge, tmp_path: Path) -> None:
    assert asked(before, state(tmp_path / "after", SHARDING, "More traffic", "Much more traffic")) == {}


def test_other_cell_changes_where_it_sits_and_what_the_cells_hold(before: Knowledge, tmp_path: Path) -> None:
    found = asked(before, state(tmp_path / "after", SHARDING, "[inference, L5, storage]", "[inference, L5, network]"))

    assert found["locate", "sharding"] == (("inference × L5 × storage",), ("inference × L5 × network",))
    assert ("place", "inference × L5 × storage") in found


def test_other_direction_changes_what_breaks(before: Knowledge, tmp_path: Path) -> None:
    found = asked(before, state(tmp_path / "after", "catalog/quantities/storage.yaml", 'sign: "-"', 'sign: "+"'))

    assert {question for question, _ in found} == {"breaks"}
    assert all("quantity wait_s" in " ".join((*gone, *come)) for gone, come in found.values())
