"""Errors of input in a Chinese frame: what was expected, what was likely meant and how to see what there is."""

from pathlib import Path

import pytest

from knockon.cli.complaint import complaint, language_asked
from knockon.terms.errors import CurationError, IntakeError, Problem
from knockon.terms.place import Position
from tests.cli.conftest import Knockon


@pytest.mark.parametrize(
    ("arguments", "environment", "language"),
    [
        (("check", "--lang", "zh"), {}, "zh"),
        (("check", "--lang=zh"), {"LANG": "en_US.UTF-8"}, "zh"),
        (("check", "--lang", "en"), {"KNOCKON_LANG": "zh"}, "en"),
        (("check",), {"KNOCKON_LANG": "zh"}, "zh"),
        (("check",), {"LANG": "zh_CN.UTF-8"}, "zh"),
        (("check", "--lang", "fr"), {}, "en"),
        (("check", "--", "serve", "--lang", "zh"), {}, "en"),
    ],
)
def test_language_is_the_one_that_answers_would_have(
    arguments: tuple[str, ...], environment: dict[str, str], language: str
) -> None:
    assert language_asked(arguments, environment) == language


def test_frame_words_are_chinese_and_the_rest_stays() -> None:
    problem = Problem(
        "x", "no 'a' here", "a b", "did you mean 'b' or 'c'?; `knockon catalog list facts` lists every fact"
    )
    placed = Problem("x", "no 'a' here", fix="add it", at=Position("f.yaml", 2, 3), excerpt="a\n^")

    assert complaint(IntakeError(problem), "zh") == (
        "错误：no 'a' here；应为 a b；是否想写 'b' 或 'c'？`knockon catalog list facts` 列出全部"
    )
    assert complaint(IntakeError(placed), "zh") == "f.yaml:2:3: no 'a' here；add it\na\n^"
    assert complaint(CurationError([placed, problem]), "zh").count("\n") == 3
    assert complaint(IntakeError(problem), "en", listed="x") == f"error: {problem}; x"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("breaks", "nope"), "错误：no technique is called 'nope'；`knockon catalog list techniques` 列出全部技术"),
        (("check", "--set", "x"), "错误：'x' sets nothing；应为 fact=value；for example tensor_parallel_size=8"),
        (("check", "--", "vllm", "serve", "m", "-tp", "a"), "应为 a whole number at least 1"),
        (("check", "--nope"), "╭─ 错误"),
        (("place",), "用 'knockon place -h' 查看帮助。"),
        (("check", "two.sh", "three.sh"), "；应为 "),
    ],
)
def test_errors_are_framed_in_the_language_asked_for(knockon: Knockon, arguments: tuple[str, ...], said: str) -> None:
    Path("two.sh").write_text("vllm serve m -tp a\n")
    Path("three.sh").write_text("vllm serve m\n")

    chinese = knockon(*arguments, KNOCKON_LANG="zh", COLUMNS="200")
    english = knockon(*arguments, COLUMNS="200")

    assert (chinese.code, english.code) == (2, 2)
    assert said in chinese.err + chinese.out
    assert "错误" not in english.err
    assert "应为" not in english.err + english.out


@pytest.mark.parametrize(
    ("language", "last"),
    [
        ("en", "and 3 more; `knockon catalog lint` and `knockon rules lint` list all"),
        ("zh", "另有 3 个问题；`knockon catalog lint` 与 `knockon rules lint` 列出全部"),
    ],
)
def test_of_many_problems_of_a_tree_the_first_ten_are_shown(language: str, last: str) -> None:
    problems = [Problem("stray-file", "no kind", at=Position(f"f{number:02}.yaml", 1, 1)) for number in range(13)]

    lines = complaint(CurationError(problems), language).splitlines()

    assert lines == [*(f"f{number:02}.yaml:1:1: no kind" for number in range(10)), last]
    assert len(complaint(CurationError(problems[:10]), language).splitlines()) == 10
