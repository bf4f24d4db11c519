"""Files, sets of files, positions."""

import pytest

from knockon.manifests import read_manifest, read_manifests
from knockon.manifests.base import Attached, File, FileSet, Launch
from knockon.terms.argument import Argument, Variable
from knockon.terms.errors import Problem
from knockon.terms.place import Position


def test_offsets_become_lines_and_columns() -> None:
    file = File("a", "x\n\nyz")

    assert [file.position(offset) for offset in range(6)] == [
        Position("a", 1, 1),
        Position("a", 1, 2),
        Position("a", 2, 1),
        Position("a", 3, 1),
        Position("a", 3, 2),
        Position("a", 3, 3),
    ]


@pytest.mark.parametrize(
    ("path", "beside", "found"),
    [
        pytest.param("start.sh", "a/Dockerfile", "a/start.sh", id="the nearest"),
        pytest.param("/opt/start.sh", "b/x/Dockerfile", "b/start.sh", id="the nearest above"),
        pytest.param("b/start.sh", "a/Dockerfile", "b/start.sh", id="the longest common end"),
        pytest.param("./start.sh", "c/Dockerfile", None, id="two that fit equally well"),
        pytest.param("other.sh", "a/Dockerfile", None, id="none of that name"),
        pytest.param("/", "a/Dockerfile", None, id="no name"),
    ],
)
def test_path_in_a_manifest_means_one_file(path: str, beside: str, found: str | None) -> None:
    files = FileSet([File("a/start.sh", ""), File("b/start.sh", "")])

    file = files.at_path(path, beside=File(beside, ""))

    assert (file and file.path) == found
    assert files.used == (frozenset({found}) if found else frozenset())


def test_command_has_its_variables_in_front() -> None:
    launch = Launch(
        "a",
        "shell",
        (Argument("vllm", Position("a", 1, 5)),),
        environment=(Variable("A", "1 2", Position("a", 1, 3)),),
    )

    assert launch.command() == (Argument("A=1 2", Position("a", 1, 3)), Argument("vllm", Position("a", 1, 5)))


def test_file_alone_is_told_that_what_it_names_is_missing() -> None:
    compose = File("compose.yaml", "services:\n  a: {image: vllm/vllm-openai:v1, command: m, env_file: x.env}\n")

    (launch,) = read_manifest(compose)

    assert isinstance(launch, Launch)
    assert [note.en for note in launch.notes] == [
        "compose.yaml:2:57: the environment file x.env is not among the files given; its variables are not known"
    ]
    assert [note.zh for note in launch.notes] == ["compose.yaml:2:57: 给定文件中没有环境文件 x.env；其中的变量未知"]


def test_file_that_another_takes_from_is_no_problem() -> None:
    script = File("run.sh", "trtllm-serve m --config opts.yaml\n")
    options = File("opts.yaml", "# for trtllm-serve\nmax_batch_size: 8\n")

    together, alone = read_manifests([script, options]), read_manifests([options])

    assert together == (
        Launch(
            "run.sh",
            "shell",
            tuple(
                Argument(text, Position("run.sh", 1, column))
                for text, column in (("trtllm-serve", 1), ("m", 14), ("--config", 16), ("opts.yaml", 25))
            ),
            at=Position("run.sh", 1, 1),
            files=(Attached("opts.yaml", {"max_batch_size": 8}, Position("opts.yaml", 1, 1)),),
        ),
    )
    assert [each.code for each in alone if isinstance(each, Problem)] == ["no-engine-command"]
