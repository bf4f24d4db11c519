"""The locks are complete, agree with each other, and say nothing about the machine that made them."""

import re
import tomllib
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
LOCKS = ("run", "build", "dev")


def pins_of(lock: str) -> set[str]:
    """Every `name==version` of a lock; the marker after it depends on what else is locked."""
    text = (CHECKOUT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    return set(re.findall(r"^[a-z0-9][^\s=]*==\S+", text, flags=re.MULTILINE))


def asked_by_the_project() -> set[str]:
    """The names in the project's own dependencies, as a lock spells them."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {re.split(r"[\[<>=; ]", asked)[0] for asked in project["dependencies"]}


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_has_a_hash_for_every_pin_and_no_place(lock: str) -> None:
    text = (CHECKOUT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=[a-z0-9])", text.split("make lock\n", maxsplit=1)[1])

    assert [block for block in blocks if "--hash=sha256:" not in block] == []
    assert re.findall(r".*(?:://|--index|--find-links|(?<!\w)/\w|@).*", text) == []


@pytest.mark.parametrize("lock", ["run", "build"])
def test_smaller_lock_is_a_part_of_the_developers_lock(lock: str) -> None:
    assert pins_of(lock) - pins_of("dev") == set()


def test_every_dependency_of_the_project_is_locked() -> None:
    assert asked_by_the_project() - {pin.split("==")[0] for pin in pins_of("run")} == set()
