from pathlib import Path

import pytest

from tests.cli.conftest import Knockon
from tests.curate.trees import written

ANSWERS = [
    "--name", "Token sharding", "--name-zh", "按 token 切分", "--stage", "inference", "--layer", "L5",
    "--dimension", "storage", "--mechanism", "shard-by-token", "--goal", "Hold more", "--goal-zh", "容纳更多",
    "--summary", 'Cuts "it": by position.', "--summary-zh", "按位置切开。",
]  # fmt: skip


def command(catalog: Path, rules: Path, *more: str) -> list[str]:
    return ["catalog", "new", "token-sharding", *ANSWERS, *more, "--catalog", str(catalog), "--rules", str(rules)]


@pytest.fixture
def tree(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path / "tree")


def test_new_technique_is_written_at_its_place_and_holds(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    shifts = ["--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper"]

    done = knockon(*command(*tree, *shifts))

    assert (done.code, done.err) == (0, "")
    assert (tree[0] / "techniques/inference/token-sharding.yaml").is_file()
    assert knockon("catalog", "lint", "--catalog", str(tree[0]), "--rules", str(tree[1])).code == 0
    assert knockon("catalog", "fmt", "--check", "--catalog", str(tree[0]), "--rules", str(tree[1])).code in (0, 1)


@pytest.mark.parametrize(
    ("shifts", "said"),
    [
        (["--gain", "cache_tokens", "--cost", "link_bytes"], "--cite"),
        (["--gain", "cache_token", "--cost", "link_bytes", "--cite", "paper"], "cache_token"),
        (["--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "papr"], "papr"),
    ],
)
def test_what_cannot_be_written_is_told_and_nothing_is_written(
    knockon: Knockon, tree: tuple[Path, Path], shifts: list[str], said: str
) -> None:
    done = knockon(*command(*tree, *shifts))

    assert done.code == 2
    assert said in done.err
    assert not (tree[0] / "techniques/inference/token-sharding.yaml").exists()


def test_taken_id_is_refused(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    shifts = ["--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper"]

    knockon(*command(*tree, *shifts))
    done = knockon(*command(*tree, *shifts))

    assert done.code == 2
    assert "is a name of token-sharding" in done.err
