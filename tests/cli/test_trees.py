"""Folders that are named and are none: wrong use, and no finding about a tree."""

from pathlib import Path

import pytest

from tests.cli.conftest import Knockon


@pytest.mark.parametrize("verb", [("catalog", "lint"), ("rules", "lint"), ("rules", "test"), ("catalog", "load")])
@pytest.mark.parametrize("option", ["catalog", "rules"])
def test_folder_that_is_not_there_is_wrong_use(knockon: Knockon, verb: tuple[str, str], option: str) -> None:
    done = knockon(*verb, f"--{option}", "/nope")

    assert (done.code, done.out) == (2, "")
    said = f"error: --{option} '/nope' does not exist; expected the {option} folder; check the path\n"
    assert done.err == said


def test_file_is_no_folder(knockon: Knockon) -> None:
    Path("rules.yaml").write_text("", encoding="utf-8")

    done = knockon("rules", "lint", "--rules", "rules.yaml")

    assert (done.code, done.err) == (
        2,
        "error: --rules 'rules.yaml' is no folder; expected the rules folder; check the path\n",
    )


def test_file_that_every_tree_has_is_missed_before_what_follows_from_it(knockon: Knockon) -> None:
    Path("zzz").mkdir()

    done = knockon("catalog", "load", "--catalog", "zzz", "--database-url", "sqlite:///k.db")

    assert done.code == 2
    assert done.err.splitlines()[0] == "zzz/axes.yaml:1:1: the file is missing; expected it in every tree"
