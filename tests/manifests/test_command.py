"""Shell text → the words of its one command."""

import pytest

from knockon.manifests.command import split_command
from knockon.terms.argument import Argument, arguments_of
from knockon.terms.errors import IntakeError, LimitExceeded
from knockon.terms.limits import COMMAND_ARGUMENTS_MAX, COMMAND_TEXT_MAX
from knockon.terms.place import Position


def words(text: str) -> list[str]:
    return [word.text for word in split_command(text, path="run.sh")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("vllm serve a", ["vllm", "serve", "a"], id="plain"),
        pytest.param("vllm serve \\\n  a \\\r\n  -tp 2\n", ["vllm", "serve", "a", "-tp", "2"], id="joined lines"),
        pytest.param("""vllm serve 'a b' "c \\"d\\"" e\\ f""", ["vllm", "serve", "a b", 'c "d"', "e f"], id="quotes"),
        pytest.param(
            "vllm serve a --x='{\"k\": 1}'", ["vllm", "serve", "a", '--x={"k": 1}'], id="quotes inside a word"
        ),
        pytest.param("vllm serve a ''", ["vllm", "serve", "a", ""], id="an empty word"),
        pytest.param("# first\nvllm serve a # last\n", ["vllm", "serve", "a"], id="comments"),
        pytest.param("vllm serve a#b", ["vllm", "serve", "a#b"], id="a hash inside a word"),
        pytest.param("A=1 B='x y' vllm serve a", ["A=1", "B=x y", "vllm", "serve", "a"], id="assignments"),
        pytest.param("export A=1\ncd /x && vllm serve a", ["A=1", "vllm", "serve", "a"], id="export and cd before"),
        pytest.param("conda activate e\nconda run vllm serve a", ["conda", "run", "vllm", "serve", "a"], id="conda"),
        pytest.param("A=1\nvllm serve a", ["A=1", "vllm", "serve", "a"], id="a line that only assigns"),
        pytest.param("vllm serve a > log 2>&1 &", ["vllm", "serve", "a"], id="redirections"),
        pytest.param("vllm serve a 2>err | tee log", ["vllm", "serve", "a"], id="a pipe"),
        pytest.param("vllm serve $MODEL", ["vllm", "serve", "$MODEL"], id="variables stay"),
        pytest.param("#!/bin/bash\nset -eux\nvllm serve a\n", ["vllm", "serve", "a"], id="a script"),
    ],
)
def test_text_comes_apart_as_a_shell_would(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_words_keep_line_and_column() -> None:
    text = "A=1 vllm serve \\\n  'org/model'  -tp 2"

    assert split_command(text, path="run.sh") == [
        Argument("A=1", Position("run.sh", 1, 1)),
        Argument("vllm", Position("run.sh", 1, 5)),
        Argument("serve", Position("run.sh", 1, 10)),
        Argument("org/model", Position("run.sh", 2, 3)),
        Argument("-tp", Position("run.sh", 2, 16)),
        Argument("2", Position("run.sh", 2, 20)),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "vllm serve 'a", "run.sh:1:12: the quote ' is not closed; expected a closing '", id="an open single quote"
        ),
        pytest.param(
            'vllm serve\\\n "a',
            'run.sh:2:2: the quote " is not closed; expected a closing "',
            id="an open double quote",
        ),
        pytest.param(
            "vllm serve a & vllm serve b",
            "run.sh:1:16: 'vllm' starts a second command; expected one command",
            id="two commands",
        ),
        pytest.param(
            "for i in 1 2; do vllm serve a; done",
            "run.sh:1:1: 'for' starts a compound command; expected one plain command",
            id="a loop",
        ),
        pytest.param(
            "echo hello",
            "run.sh:1:1: there is no command that starts an engine; expected for example `vllm serve MODEL`",
            id="nothing to read",
        ),
    ],
)
def test_text_that_is_no_single_command_is_refused(text: str, message: str) -> None:
    with pytest.raises(IntakeError) as caught:
        split_command(text, path="run.sh")

    assert str(caught.value) == message


def test_too_much_text_is_refused() -> None:
    with pytest.raises(LimitExceeded) as caught:
        split_command("x" * (COMMAND_TEXT_MAX + 1), path="run.sh")

    assert str(caught.value) == "run.sh:1:1: the command's text is over the limit of 1,000,000, found 1,000,001"


def test_too_many_words_are_refused() -> None:
    with pytest.raises(LimitExceeded) as caught:
        split_command("x " * (COMMAND_ARGUMENTS_MAX + 1), path="run.sh")

    assert str(caught.value) == "run.sh:1:8001: the number of words of the command is over the limit of 4,000"


def test_split_words_get_their_columns_in_the_joined_text() -> None:
    assert arguments_of(["vllm", "serve", "a b", "-tp"]) == [
        Argument("vllm", Position("<command>", 1, 1)),
        Argument("serve", Position("<command>", 1, 6)),
        Argument("a b", Position("<command>", 1, 12)),
        Argument("-tp", Position("<command>", 1, 16)),
    ]


def test_too_many_split_words_are_refused() -> None:
    with pytest.raises(LimitExceeded) as caught:
        arguments_of(["x"] * (COMMAND_ARGUMENTS_MAX + 1))

    assert str(caught.value) == "the number of words of the command is over the limit of 4,000, found 4,001"
