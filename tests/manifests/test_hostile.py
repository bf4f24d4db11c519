"""Files made to break a reader: refused with a place, in little time, or read as far as they go."""

import itertools
import time

import pytest

from knockon.manifests import read_manifest, read_manifests
from knockon.manifests.base import File, Launch, file_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.limits import LAUNCHES_MAX, MANIFEST_TEXT_MAX, SCRIPT_WORDS_MAX

POD = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai:v1\n    args: "
LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in itertools.pairwise("abcdefghijk")
)
# Far over what any of them takes, far under what a loop that grows too fast would.
SECONDS_MAX = 8.0

REFUSED = [
    pytest.param("a.yaml", POD + "[" * 90 + "]" * 90, "nesting of the file is over the limit of 60", id="deep list"),
    pytest.param(
        "a.yaml", "# vllm\n" + "".join(" " * i + "a:\n" for i in range(70)), "over the limit of 60", id="deep"
    ),
    pytest.param("a.yaml", "# vllm\na: [" + "1," * 500_000 + "]", "over the limit of 400,000", id="many values"),
    pytest.param("a.yaml", "a: vllm\0", "a.yaml:1:8: character U+0000 stands here", id="NUL"),
    pytest.param("a.yaml", "a: vllm\x07", "a.yaml:1:8: character U+0007 stands here", id="control character"),
    pytest.param("a.yaml", "a: vllm \ud800", "a.yaml:1:9: character U+D800 stands here", id="half a pair"),
    pytest.param("a.yaml", "# vllm\n\ta: b", "a.yaml:2:1: this is not YAML", id="tab"),
    pytest.param("a.yaml", POD + "[" + "--x," * 5_000 + "m]", "words of the command is over", id="many words"),
    pytest.param("a.yaml", POD + "['" + "$(A)" * 50_000 + "']", "parts of a word is over", id="references"),
    pytest.param("a.yaml", POD + "[" + "{{ .x }}," * 6_000 + "m]", "template actions is over", id="templates"),
    pytest.param("a.sh", "A=xxxxxxxx\n" + "A=$A$A\n" * 60 + "vllm serve $A", "is over the limit", id="doubling"),
    pytest.param("a.sh", "A=(x)\n" + 'A+=("${A[@]}")\n' * 60 + "vllm serve $A", "over the limit of 4,000", id="arrays"),
    pytest.param(
        "a.sh",
        "".join(f"f{i}() {{ {f'f{i + 1}; ' * 8}}}\n" for i in range(60)) + "f0",
        "the number of words read in functions and scripts is over the limit of 50,000",
        id="functions",
    ),
    pytest.param("a.sh", "eval " * 60 + "vllm serve m", "commands in commands is over the limit of 8", id="eval"),
    pytest.param("a.sh", "docker run " * 60 + "x", "commands in commands is over the limit of 8", id="docker"),
    pytest.param("a.sh", "vllm serve " + "${a:-" * 50 + "}" * 50, "nesting of variables is over", id="braces"),
    pytest.param("a.sh", "vllm serve " + "$(" * 100_000, "a.sh:1:13: the bracket ( is not closed", id="open brackets"),
    pytest.param("a.sh", "vllm serve " + '"a"' * 100_000, "number of parts of a word is over", id="many quotes"),
    pytest.param("a.sh", "x" * (MANIFEST_TEXT_MAX + 1), "a.sh:1:1: the size of a manifest", id="size"),
    pytest.param(
        "a.sh", "x" * 1_000_001, "the text of the script is over the limit of 1,000,000", id="size of a script"
    ),
]


@pytest.mark.parametrize(("path", "text", "message"), REFUSED)
def test_hostile_text_is_refused_with_its_place(path: str, text: str, message: str) -> None:
    started = time.process_time()

    (problem,) = read_manifests([File(path, text)])

    assert isinstance(problem, Problem)
    assert problem.at is not None
    assert message in str(problem)
    assert time.process_time() - started < SECONDS_MAX


READ = [
    pytest.param("a.yaml", POD + "[m]\nx: 1\n" + LAUGHS, 2, id="aliases of aliases"),
    pytest.param("a.yaml", POD + "['it''s" + " " * 500_000 + "x']", 2, id="blanks in quotes"),
    pytest.param("a.yaml", POD + '["' + "\\x41" * 100_000 + '"]', 2, id="escapes"),
    pytest.param("a.sh", "f() { f; f; vllm serve m; }\nf", 3, id="a function that calls itself"),
    pytest.param("a.sh", "vllm serve m" + " \\\n" * 100_000, 3, id="joined lines"),
    pytest.param("a.sh", "vllm serve m $((9**9**9)) $((1<<99999))", 3, id="large numbers"),
    pytest.param("a.sh", "cat > o.yml <<E\n" + LAUGHS + "E\ntrtllm-serve m --config o.yml", 4, id="an options file"),
]


@pytest.mark.parametrize(("path", "text", "count"), READ)
def test_hostile_text_that_can_be_read_is_read_in_little_time(path: str, text: str, count: int) -> None:
    started = time.process_time()

    launches = [each for each in read_manifests([File(path, text)]) if isinstance(each, Launch)]

    assert {len(launch.arguments) for launch in launches} == {count}
    assert all(launch.files == () for launch in launches)
    assert time.process_time() - started < SECONDS_MAX


def test_bytes_that_are_no_text_are_refused_with_their_place() -> None:
    with pytest.raises(IntakeError) as caught:
        file_of(b"a: 1\nb: \xc3\xa9\xff", path="a.yaml")

    assert str(caught.value) == ("a.yaml:2:5: byte 0xff does not belong here; expected UTF-8; save the file as UTF-8")


def test_a_byte_order_mark_is_dropped() -> None:
    assert file_of(b"\xef\xbb\xbfa: 1", path="a.yaml") == File("a.yaml", "a: 1")


def test_one_broken_file_does_not_keep_the_others_from_being_read() -> None:
    results = read_manifests([File("a.yaml", "a: [vllm"), File("b.sh", "vllm serve m")])

    assert [type(each) for each in results] == [Problem, Launch]


def test_a_script_of_very_many_launches_is_refused_by_their_number() -> None:
    file = File("run.sh", "vllm serve m\n" * (LAUNCHES_MAX + 1))

    assert [str(each) for each in read_manifest(file)] == [
        "run.sh:2001:1: the number of launches in one file is over the limit of 2,000; split the file"
    ]
    assert len(read_manifest(File("run.sh", "vllm serve m\n" * LAUNCHES_MAX))) == LAUNCHES_MAX


def test_a_manifest_of_very_many_launches_is_refused_by_their_number() -> None:
    pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{command: [vllm, serve, m]}]}\n"

    [refused] = read_manifest(File("pods.yaml", pod * (LAUNCHES_MAX + 1)))

    assert (
        str(refused) == "pods.yaml:1:1: the number of launches in one file is over the limit of 2,000; split the file"
    )


def test_a_script_of_very_many_words_is_called_a_script() -> None:
    file = File("run.sh", "vllm serve m\n" + "echo 1\n" * (SCRIPT_WORDS_MAX // 2))

    assert [str(each) for each in read_manifest(file)] == [
        "run.sh:16667:6: the number of words of the script is over the limit of 50,000; split the file"
    ]
