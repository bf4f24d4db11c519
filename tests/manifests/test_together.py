"""Files that mean one launch only together, and what is left to be filled in."""

import itertools

import pytest

from knockon.manifests import read_manifests
from knockon.manifests.base import File, Launch
from knockon.terms.argument import Argument
from knockon.terms.errors import Problem
from knockon.terms.place import Position

UNIT = "[Service]\nEnvironment=A=1\nEnvironment=B=1\nExecStart=/usr/bin/vllm serve m -tp 2\n"
DROP_IN = "[Service]\nEnvironment=B=2\nExecStart=\nExecStart=/usr/bin/vllm serve m -tp 4\n"
COMPOSE = """\
services:
  one:
    image: vllm/vllm-openai:v0.33.0
    environment: [A=1, B=1]
    command: --model m --seed 1
"""
OVERRIDE = """\
services:
  one:
    environment: [B=2]
    command: --model m --seed 2
"""


def launches(*files: tuple[str, str]) -> list[Launch]:
    read = read_manifests([File(path, text) for path, text in files])
    assert not [each for each in read if isinstance(each, Problem)]
    return [each for each in read if isinstance(each, Launch)]


def words(launch: Launch) -> list[str]:
    return [argument.text for argument in launch.arguments]


def variables(launch: Launch) -> dict[str, str]:
    return {each.name: each.value for each in launch.environment}


def test_unit_and_its_drop_ins_are_one_launch() -> None:
    (launch,) = launches(
        ("a/m.service", UNIT),
        ("a/m.service.d/20.conf", "[Service]\nEnvironment=B=3\n"),
        ("a/m.service.d/10.conf", DROP_IN),
        ("b/m.service.d/10.conf.orig", "vllm serve other"),
    )[:1]

    assert words(launch)[-2:] == ["-tp", "4"]
    assert variables(launch) == {"A": "1", "B": "3"}
    assert launch.arguments[-1].at == Position("a/m.service.d/10.conf", 4, 37)
    assert launch.name == "m"


def test_drop_in_without_its_unit_is_read_alone() -> None:
    (launch,) = launches(("a/m.service.d/10.conf", DROP_IN), ("b/m.service", "[Service]\nExecStart=vllm serve n\n"))[:1]

    assert words(launch)[-2:] == ["-tp", "4"]
    assert variables(launch) == {"B": "2"}


def test_empty_settings_of_a_drop_in_forget_those_before() -> None:
    (launch,) = launches(("m.service", UNIT), ("m.service.d/a.conf", "[Service]\nEnvironment=\nEnvironment=C=1\n"))

    assert variables(launch) == {"C": "1"}


@pytest.mark.parametrize(
    ("base", "override"),
    [("compose.yaml", "compose.override.yaml"), ("a/docker-compose.yml", "a/docker-compose.override.yml")],
)
def test_compose_file_and_its_override_are_one_launch(base: str, override: str) -> None:
    (launch,) = launches((base, COMPOSE), (override, OVERRIDE))

    assert words(launch)[-2:] == ["--seed", "2"]
    assert variables(launch) == {"A": "1", "B": "2"}
    assert launch.image == "vllm/vllm-openai:v0.33.0"
    assert launch.arguments[-1].at == Position(override, 4, 31)


def test_override_of_another_folder_or_ending_is_a_file_of_its_own() -> None:
    image = OVERRIDE.replace("    environment", "    image: vllm/vllm-openai:v1\n    environment")

    assert len(launches(("a/compose.yaml", COMPOSE), ("b/compose.override.yaml", image))) == 2
    assert len(launches(("compose.yaml", COMPOSE), ("compose.override.yml", image))) == 2


BLANKS = ["<TP>", "%TP%", "@TP@", "@@TP@@", "__TP__", "{TP}", "<tensor-parallel>", "<number_of.gpus>"]


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize(
    ("path", "text", "at"),
    [
        ("a.sh", "vllm serve m -tp {} --seed 1\n", Position("a.sh", 1, 14)),
        ("a.sh", 'vllm serve m "-tp={}" --seed 1\n', Position("a.sh", 1, 14)),
        (
            "a.yaml",
            (
                "kind: Pod\napiVersion: v1\nspec:\n  containers:\n  - image: vllm/vllm-openai:v1\n    args:\n"
                "    - m\n    - -tp\n    - {}\n    - --seed\n    - '1'\n"
            ),
            Position("a.yaml", 8, 7),
        ),
        (
            "compose.yaml",
            "services:\n  a:\n    image: vllm/vllm-openai:v1\n    command: m -tp {} --seed 1\n",
            Position("compose.yaml", 4, 16),
        ),
        ("m.service", "[Service]\nExecStart=vllm serve m -tp {} --seed 1\n", Position("m.service", 2, 24)),
    ],
)
def test_what_is_left_to_be_filled_in_is_not_known(blank: str, path: str, text: str, at: Position) -> None:
    (launch,) = launches((path, text.replace("{}", blank)))

    assert words(launch)[-3:] == ["m", "--seed", "1"]
    assert launch.left_out == (Argument("-tp", at),)
    assert any(blank in note.en for note in launch.notes)


def test_part_of_a_word_may_be_left_to_be_filled_in() -> None:
    (launch,) = launches(("a.sh", "vllm serve org/<model>-fp8 --seed 1\n"))

    assert words(launch) == ["vllm", "serve", "--seed", "1"]
    assert [each.text for each in launch.left_out] == ["org/<model>-fp8"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vllm serve m --seed 1 <IN >OUT\n", ["m", "--seed", "1"]),
        ("vllm serve m --seed 1 <IN>OUT\n", ["m", "--seed", "1"]),
        ("vllm serve m --log log-%Y%m%d\n", ["m", "--log", "log-%Y%m%d"]),
        ("TP=4\nvllm serve m -tp ${TP}\n", ["m", "-tp", "4"]),
        ("vllm serve m --x '{\"A\": 1}'\n", ["m", "--x", '{"A": 1}']),
        ("vllm serve m --x me@HOST@x.org\n", ["m", "--x", "me@HOST@x.org"]),
        ("vllm serve a__B__c\n", ["a__B__c"]),
    ],
)
def test_what_only_looks_like_it_is_read(text: str, expected: list[str]) -> None:
    (launch,) = launches(("a.sh", text))

    assert words(launch)[2:] == expected
    assert launch.notes == ()


def test_function_that_calls_itself_is_read_once_and_said() -> None:
    (launch,) = launches(("a.sh", "f() { f; vllm serve m; }\nf\n"))

    assert [note.en.partition(": ")[2] for note in launch.notes] == [
        "not everything in it is read: a function calls itself"
    ]


def test_calls_nested_too_deep_are_said() -> None:
    names = "abcdefghij"
    functions = "".join(f'{one}() {{ {other} "$@"; }}\n' for one, other in itertools.pairwise(names))
    (launch,) = launches(("a.sh", functions + 'j() { vllm serve "$@"; }\na m\n'))

    assert any("nested over 8 deep" in note.en for note in launch.notes)
