"""Language, colours and width of an answer; what a shell offers after TAB; an impatient user."""

import io
import sys
from pathlib import Path

import pytest

from knockon.cli.complete import axis, gpus, models, profiles, rules, techniques
from knockon.cli.main import run
from knockon.cli.show import is_coloured, language_of, width_of
from tests.cli.conftest import Knockon


@pytest.mark.parametrize(
    ("asked", "environment", "language"),
    [
        (None, {}, "en"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        ("zh", {}, "zh"),
    ],
)
def test_language_is_the_asked_one_or_the_terminals(
    asked: str | None, environment: dict[str, str], language: str
) -> None:
    assert language_of(asked, environment) == language


def test_language_may_be_set_for_good(knockon: Knockon) -> None:
    assert knockon("rules", "list", KNOCKON_LANG="zh").out.startswith("规则")
    assert knockon("rules", "list", "--lang", "en", KNOCKON_LANG="zh").out.startswith("rule")


@pytest.mark.parametrize(
    ("environment", "terminal", "coloured"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(environment: dict[str, str], terminal: bool, coloured: bool) -> None:
    assert is_coloured(environment, is_terminal=terminal) is coloured


def test_a_file_is_written_in_a_width_that_reads_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")

    assert width_of({}, is_terminal=False) == 100
    assert width_of({"COLUMNS": "72"}, is_terminal=False) == 72


def test_tab_offers_what_the_catalog_has(knockon: Knockon) -> None:
    assert knockon("profile", "list").code == 0

    assert techniques("decode-c") == ["decode-context-parallelism"]
    assert models("qwen/qwen3-235b-a22b") != []
    assert [name for name in gpus("h2") if not name.lower().startswith("h2")] == []
    assert profiles("d") == ["default"]
    assert rules("K001") == ["K001"]
    assert axis("stages")("inf") == ["inference"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_shown(knockon: Knockon, shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")

    done = knockon("--show-completion", shell)

    assert done.code == 0
    assert "_KNOCKON_COMPLETE=complete_" in done.out


def test_shell_asks_and_is_answered(knockon: Knockon) -> None:
    verbs = knockon(_KNOCKON_COMPLETE="complete_bash", COMP_WORDS="knockon pro", COMP_CWORD="1")
    names = knockon(_KNOCKON_COMPLETE="complete_bash", COMP_WORDS="knockon breaks decode-c", COMP_CWORD="2")

    assert verbs.out.split() == ["profile"]
    assert names.out.split() == ["decode-context-parallelism"]


def test_interrupt_ends_the_program_with_its_own_code_and_no_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache_dir: Path
) -> None:
    class Interrupted(io.BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setenv("KNOCKON_CACHE_DIR", str(cache_dir))
    monkeypatch.setattr(sys, "argv", ["knockon", "check", "-"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    with pytest.raises(SystemExit) as ended:
        run()

    said = capsys.readouterr()
    assert (ended.value.code, said.out, said.err.strip()) == (130, "", "")
