from pathlib import Path

import pytest

from tests.cli.conftest import Knockon
from tests.cli.terminal import on_terminal
from tests.cli.test_process import environment
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


@pytest.mark.parametrize(
    "key", ["../../evil", "../evil", "", "a/b", "/evil", "Bad_ID", "évil", "a b", "-", "x" * 300, "a\x1b"]
)
def test_an_id_that_is_none_is_refused_and_nothing_is_written(
    knockon: Knockon, tree: tuple[Path, Path], key: str
) -> None:
    before = sorted(tree[0].parent.rglob("*"))
    asked = command(*tree, "--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper")

    done = knockon("catalog", "new", key, *asked[3:])

    assert done.code == 2
    assert done.out == ""
    assert sorted(tree[0].parent.rglob("*")) == before


def test_what_nobody_read_is_marked_as_inferred_and_aliases_stand_in_their_language(
    knockon: Knockon, tree: tuple[Path, Path]
) -> None:
    shifts = ["--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper"]
    aliases = ["--alias", "--tok", "--alias", "令牌"]

    done = knockon(*command(*tree, *shifts, *aliases))
    text = (tree[0] / "techniques/inference/token-sharding.yaml").read_text("utf-8")

    assert done.code == 0
    assert text.count("inferred: true") == 2
    assert '  en: ["--tok"]\n  zh: ["令牌"]\n' in text
    assert "take `inferred` away" in done.out


@pytest.mark.parametrize("key", ["123", "null", "true", "1e3"])
def test_an_id_that_yaml_reads_as_another_thing_stands_in_quotes(
    knockon: Knockon, tree: tuple[Path, Path], key: str
) -> None:
    asked = command(*tree, "--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper")

    done = knockon("catalog", "new", key, *asked[3:])

    assert (done.code, done.err) == (0, "")
    assert f'id: "{key}"\n' in (tree[0] / f"techniques/inference/{key}.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--name", "Sharding"], "'Sharding' is a name of sharding"),
        (["--alias", "sharding"], "'sharding' is a name of sharding"),
        (["--alias", ""], "no alias is given"),
        (["--name", "bad\udcff"], "has a character that cannot be seen"),
        (["--goal", "a\x1b[A"], "has a character that cannot be seen"),
        (["--gain", "link_bytes"], "link_bytes would get better and worse"),
    ],
)
def test_what_would_make_the_tree_refused_is_not_written(
    knockon: Knockon, tree: tuple[Path, Path], more: list[str], said: str
) -> None:
    done = knockon(*command(*tree, "--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper", *more))

    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not (tree[0] / "techniques/inference/token-sharding.yaml").exists()


def test_a_folder_in_the_way_is_told(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    (tree[0] / "techniques/inference/token-sharding.yaml").mkdir()

    done = knockon(*command(*tree, "--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper"))

    assert done.code == 2
    assert "cannot be written: File exists" in done.err


def test_a_wrong_answer_on_the_terminal_is_asked_again(tree: tuple[Path, Path], cache_dir: Path) -> None:
    given = ["catalog", "new", "token-sharding", *ANSWERS, "--catalog", str(tree[0]), "--rules", str(tree[1])]

    typed = ["cache_token", ",", "cache_tokens", "link_bytes", "papr", "paper"]
    code, said = on_terminal(given, around=environment(cache_dir), typed=typed)

    assert code == 0, said
    assert "no quantity is called 'cache_token'" in said
    assert "no gain is given" in said
    assert "no citation is called 'papr'" in said
    assert (tree[0] / "techniques/inference/token-sharding.yaml").is_file()


def test_taken_id_is_refused(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    shifts = ["--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper"]

    knockon(*command(*tree, *shifts))
    done = knockon(*command(*tree, *shifts))

    assert done.code == 2
    assert "is a name of token-sharding" in done.err
