import shlex
from pathlib import Path

import pytest

from knockon.curate.fmt import formatted
from knockon.curate.translations import _digest
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
        (["--when", "shard_sise > 1"], "shard_sise"),
        (["--when", "1 > 0"], "names nothing and always holds"),
        (["--size", "cache_tokens=Half|一半"], "is no size; expected QUANTITY=ENGLISH|CHINESE|BASIS"),
        (["--size", "wait_s=Half|减半|stated"], "'wait_s' has a size and is neither gain nor cost"),
        (["--size", "link_bytes=A|一|stated", "--size", "link_bytes=B|二|stated"], "'link_bytes' has two sizes"),
        (["--size", "link_byte=Half|减半|stated"], "link_byte"),
        (["--need", "Copies"], "'Copies' is no need"),
        (["--need", "Copies|副本|shard_size >"], "shard_size >"),
        (["--switch", "vllm"], "'vllm' is no switch"),
        (["--switch", "vllm=--a", "--switch", "vllm=--b"], "'vllm' has two switches"),
        # What asks for upkeep is told, too, and not begun with.
        (["--summary", "Saves 40 % of it."], "no source is given for '40 %'"),
        (["--summary-zh", "省 40%。"], "no source is given for '40%'"),
        (["--goal-zh", "Hold more"], "no Chinese stands here"),
        (["--name", "The copy", "--dimension", "network"], "'token-sharding' is nearly 'copying'"),
        (["--need", "7 GB|6 GB 副本"], "the English says 7, the Chinese 6"),
        (["--need", "7 GB|7 GB 副本"], "'7 GB' is inferred"),
        (["--switch", "vllm=--no-such-flag"], "vllm never had the flag --no-such-flag"),
        (["--switch", "vlllm=--seed"], "'vlllm', and no source does"),
    ],
)
def test_what_would_make_the_tree_refused_is_not_written(
    knockon: Knockon, tree: tuple[Path, Path], more: list[str], said: str
) -> None:
    done = knockon(*command(*tree, "--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper", *more))

    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not (tree[0] / "techniques/inference/token-sharding.yaml").exists()


EVERYTHING = [
    *("--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper", "--alias", "TS", "--when", "shard_size > 1"),
    *("--size", "cache_tokens=Saves 40 % of it|省 40%|one GPU", "--size", "link_bytes=Doubles|翻倍|arithmetic"),
    *("--need", "Copies|有副本|shard_size <= head_count", "--need", "Links|有链路"),
    *("--switch", "vllm=--seed 2@0.10", "--switch", "sglang=--dtype=a", "--summary", "Saves 40 % by position."),
    *("--summary-zh", "按位置省 40%。"),
]


def test_all_that_can_be_given_is_written_in_its_one_form(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    done = knockon(*command(*tree, *EVERYTHING))
    text = (tree[0] / "techniques/inference/token-sharding.yaml").read_text("utf-8")

    assert (done.code, done.err) == (0, "")
    assert (
        text.split("shifts:\n")[1]
        == """\
  - effect: gain
    onto: storage
    quantity: cache_tokens
    change: up
    when: "shard_size > 1"
    size:
      text: {en: "Saves 40 % of it", zh: "省 40%"}
      measured_on: "one GPU"
    says: {en: "Cache tokens goes up when it is on", zh: "启用后缓存 token 数上升"}
    inferred: true
    cite: [paper]
  - effect: cost
    onto: network
    quantity: link_bytes
    change: up
    when: "shard_size > 1"
    size:
      text: {en: "Doubles", zh: "翻倍"}
      basis: "arithmetic"
    says: {en: "Traffic goes up when it is on", zh: "启用后流量上升"}
    inferred: true
    cite: [paper]
needs:
  - says: {en: "Copies", zh: "有副本"}
    when: "shard_size <= head_count"
    inferred: true
    cite: [paper]
  - says: {en: "Links", zh: "有链路"}
    inferred: true
    cite: [paper]
engines:
  vllm: {switch: "--seed 2", since: "0.10"}
  sglang: {switch: "--dtype=a"}
cite: [paper]
"""
    )
    assert formatted(text, path="x", room="catalog/techniques/inference/token-sharding.yaml") == text
    assert knockon("catalog", "lint", "--catalog", str(tree[0]), "--rules", str(tree[1])).code == 0


def test_record_of_translations_gets_the_new_sentences_and_no_others(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    where = ["--catalog", str(tree[0]), "--rules", str(tree[1])]
    assert knockon("catalog", "fmt", "--translated", *where).code == 0
    record = tree[0] / "translations.lock"
    gone = f"{_digest('副本更少')} {_digest('Fewer copies')}\n"
    lines = record.read_text("utf-8").splitlines(keepends=True)
    lines.remove(gone)
    record.write_text("".join(lines), "utf-8")

    done = knockon(*command(*tree, *EVERYTHING))
    after = set(record.read_text("utf-8").splitlines(keepends=True))

    # A sentence that nobody recorded before is still nobody's: the new technique vouches for its own.
    assert done.code == 0
    assert after > set(lines)
    assert gone not in after
    said = knockon("catalog", "lint", *where).out
    assert "token-sharding" not in said
    assert "sharding.yaml:24:34: translations.lock has no line for this; expected" in said


def test_record_of_translations_stays_where_nothing_is_written(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    assert knockon("catalog", "fmt", "--translated", "--catalog", str(tree[0]), "--rules", str(tree[1])).code == 0
    before = (tree[0] / "translations.lock").read_bytes()

    done = knockon(*command(*tree, *EVERYTHING, "--goal-zh", "Hold more"))

    assert (done.code, done.out) == (2, "")
    assert "no Chinese stands here" in done.err
    assert (tree[0] / "translations.lock").read_bytes() == before
    assert not (tree[0] / "techniques/inference/token-sharding.yaml").exists()


def test_a_folder_in_the_way_is_told(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    (tree[0] / "techniques/inference/token-sharding.yaml").mkdir()

    done = knockon(*command(*tree, "--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper"))

    assert done.code == 2
    assert "is a folder; expected a YAML file" in done.err


def test_a_wrong_answer_on_the_terminal_is_asked_again(tree: tuple[Path, Path], cache_dir: Path) -> None:
    given = ["catalog", "new", "token-sharding", *ANSWERS, "--catalog", str(tree[0]), "--rules", str(tree[1])]

    required = ["cache_token", ",", "cache_tokens", "link_bytes", "papr", "paper"]
    optional = ["--tok", "", "shard_sise > 1", "", "cache_tokens=Half", "", "", "vllm --tok", "vllm=--seed", ""]
    typed = [*required, *optional]
    code, said = on_terminal(given, around=environment(cache_dir), typed=typed)

    assert code == 0, said
    assert "no quantity is called 'cache_token'" in said
    assert "no gain is given" in said
    assert "no citation is called 'papr'" in said
    assert "shard_sise" in said
    assert "'cache_tokens=Half' is no size; expected QUANTITY=ENGLISH|CHINESE|BASIS" in said
    assert "'vllm --tok' is no switch" in said
    text = (tree[0] / "techniques/inference/token-sharding.yaml").read_text("utf-8")
    assert '  en: ["--tok"]\n' in text
    assert 'engines:\n  vllm: {switch: "--seed"}\n' in text
    assert "when:" not in text


def test_taken_id_is_refused(knockon: Knockon, tree: tuple[Path, Path]) -> None:
    shifts = ["--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper"]

    knockon(*command(*tree, *shifts))
    done = knockon(*command(*tree, *shifts))

    assert done.code == 2
    assert "is a name of token-sharding" in done.err


@pytest.mark.parametrize(("goal", "code"), [("装得更多一些", 0), ("Hold more", 2)])
def test_dry_run_ends_as_a_real_run_would_and_writes_nothing(
    knockon: Knockon, tree: tuple[Path, Path], goal: str, code: int
) -> None:
    before = {file: file.read_bytes() for file in tree[0].rglob("*") if file.is_file()}
    asked = command(*tree, "--gain", "cache_tokens", "--cost", "link_bytes", "--cite", "paper", "--goal-zh", goal)

    tried = knockon(*asked, "--dry-run")

    assert {file: file.read_bytes() for file in tree[0].rglob("*") if file.is_file()} == before
    done = knockon(*asked)
    assert (tried.code, done.code) == (code, code)
    assert tried.err == done.err
    assert ("goal:" in tried.out) == (code == 0)


def test_answers_are_printed_as_a_command_where_lint_refuses(tree: tuple[Path, Path], cache_dir: Path) -> None:
    where = ["--catalog", str(tree[0]), "--rules", str(tree[1])]
    given = ["catalog", "new", "token-sharding", *ANSWERS, "--goal-zh", "Hold more", *where]
    typed = ["cache_tokens", "link_bytes", "paper", "--tok", "", "", "", "", "vllm=--seed 2", ""]

    code, said = on_terminal(given, around=environment(cache_dir), typed=typed)

    assert code == 2, said
    assert "no Chinese stands here" in said
    (line,) = [line for line in said.splitlines() if line.startswith("knockon catalog new token-sharding ")]
    again = shlex.split(line)[3:]
    assert {"--alias=--tok", "--switch=vllm=--seed 2", "--gain=cache_tokens", "--goal-zh=Hold more"} <= set(again)
