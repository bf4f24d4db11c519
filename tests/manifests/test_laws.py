"""What holds for any text whatever."""

import shlex
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import knockon.engines
from knockon.engines import ENGINES, read_command
from knockon.engines.images import release_in
from knockon.manifests import MANIFESTS, read_manifests
from knockon.manifests.base import File, Launch
from knockon.manifests.command import split_command
from knockon.manifests.document import Items, Scalar, documents_of
from knockon.manifests.written import whole
from knockon.terms.errors import KnockonError, Problem
from tests.data import read_yaml
from tests.manifests.told import EXPECTED, files_under
from tests.texts import texts

CORPUS = Path(__file__).with_name("corpus")
TEXTS = [
    file
    for folder in sorted(CORPUS.glob("*/*"))
    for file in files_under(folder)
    if not file.path.endswith((EXPECTED, ".md"))
]
NAMES = ["run.sh", "Dockerfile", "compose.yaml", "deployment.yaml", "vllm.service", "values.yaml", "x"]
# Fragments that mean something to one of the readers.
FRAGMENTS = st.sampled_from(
    [
        "vllm serve ", "python3 -m sglang.launch_server ", "$A", "${A:-", "}", "$(", ")", "'", '"', "\\", "\n", "\r\n",
        "\t", "- ", ": ", "&a ", "*a", "<<: ", "[", "]", "{", "{{ .x }}", "{{- if x }}", "{{ end }}", "A=", "A+=(", ")",
        "if ", "; then ", "; fi", "case x in ", ";;", "esac", "f() {", "}", "for i in ", "; do ", "done", "<<EOF\n",
        "EOF\n", "| ", "> ", "FROM x\n", "CMD ", "ENTRYPOINT ", "ENV A=1\n", "services:\n", "  a:\n", "    image: ",
        "vllm/vllm-openai:v1\n", "    command: ", "apiVersion: v1\n", "kind: Pod\n", "spec:\n", "  containers:\n",
        "    args: ", "|\n", ">-\n", "[Service]\n", "ExecStart=", "Environment=", "--tp ", "--x=", "\ue000", "\u2028",
        "é",         "docker run ", "bash -c ", "eval ", "export ", "#", "!", "%i", "\x00", "\ud800",
    ]
)  # fmt: skip


@given(st.sampled_from(NAMES), st.lists(st.one_of(FRAGMENTS, texts(max_size=4)), max_size=30).map("".join))
def test_no_text_crashes_a_reader_or_goes_unsaid(name: str, text: str) -> None:
    results = read_manifests([File(name, text)])

    assert results
    for each in results:
        assert isinstance(each, Launch | Problem)
        assert each.at is not None


@given(st.sampled_from(TEXTS), st.data())
def test_a_broken_manifest_is_read_or_refused(file: File, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(file.text)))
    end = data.draw(st.integers(start, min(len(file.text), start + 40)))
    put_in = data.draw(st.one_of(FRAGMENTS, st.just("")))
    broken = File(file.path, file.text[:start] + put_in + file.text[end:])

    lines = broken.text.split("\n")
    for each in read_manifests([broken]):
        assert each.at is not None
        assert 1 <= each.at.line <= len(lines)
        assert 1 <= each.at.column <= len(lines[each.at.line - 1]) + 1


@given(st.lists(st.text(alphabet="ab'\"\\$# {}:-é", min_size=1, max_size=8), min_size=1, max_size=5))
def test_quoted_words_come_through_every_reader(words: list[str]) -> None:
    command = shlex.join(["vllm", "serve", *words])

    assert [word.text for word in split_command(command, path="x")] == ["vllm", "serve", *words]
    (launch,) = read_manifests([File("x.sh", command)])
    assert isinstance(launch, Launch)
    assert [word.text for word in launch.arguments] == ["vllm", "serve", *words]


@pytest.mark.parametrize("style", ['"', "'", "|", ">", None])
@given(
    words=st.lists(st.text(alphabet="ab cd\n'\"\\:#-é\t", max_size=30), min_size=1, max_size=4),
    width=st.integers(4, 60),
)
def test_characters_of_scalars_are_found_where_they_are_said_to_stand(
    style: str | None, words: list[str], width: int
) -> None:
    text = yaml.safe_dump({"a": {"b": words}}, default_style=style, width=width, allow_unicode=True)
    file = File("x.yaml", text)
    (top,) = documents_of(whole(file))
    items = top.held["a"].held["b"]  # type: ignore[union-attr, call-overload, index]
    assert isinstance(items, Items)

    # PyYAML itself folds some texts into others; what is read back counts.
    for word, node in zip(yaml.safe_load(text)["a"]["b"], items.held, strict=True):
        assert isinstance(node, Scalar)
        assert node.text == word
        for index, character in enumerate(word):
            _, offset = node.written.source(index)
            # Characters that are escaped or folded stand where their escape or line break does.
            assert text[offset] == character or character in " \n\t" or text[offset] in "\\'\""


@pytest.mark.parametrize("engine", list(ENGINES))
def test_commands_read_from_a_script_are_what_the_engine_reads_directly(engine: str) -> None:
    folder = Path(knockon.engines.__file__).parent
    cases = read_yaml(folder / engine / "cases.yaml")
    compared = 0
    for case in cases:
        if "error" in case or "$" in case["command"]:
            continue
        version = case.get("version")
        words = split_command(case["command"], path="x.sh")
        direct = read_command(words, version=version, files=case.get("files"))
        (launch,) = read_manifests([File("x.sh", case["command"])])
        assert isinstance(launch, Launch), case["name"]
        # An image that starts its program by itself names the release, as the command line takes it.
        named = release_in(launch.image, engine=engine) if launch.image else None
        through = read_command(launch.command(), version=version or named, files=case.get("files"))
        assert {name: fact.value for name, fact in through.by_name().items()} == {
            name: fact.value for name, fact in direct.by_name().items()
        }, case["name"]
        compared += 1

    assert compared >= 5


def test_every_launch_of_the_corpus_is_read_by_its_engine() -> None:
    refused = {}
    count = 0
    for folder in sorted(CORPUS.glob("*/*")):
        for launch in read_manifests(files_under(folder)):
            if isinstance(launch, Launch):
                count += 1
                try:
                    read_command(launch.command(), files={each.path: each.data for each in launch.files})
                except KnockonError as error:
                    refused[f"{folder.parent.name}/{folder.name}"] = error.code

    assert count == 100
    # Engines that are not read yet, and two commands that their engine would refuse indeed.
    assert refused == {
        "dockerfile/llama-server": "unknown-program",
        "kubernetes/dynamo": "unknown-program",
        "kubernetes/references": "wrong-value",
        "shell/llama-cpp": "unknown-program",
        "shell/sourced": "wrong-value",
    }


def test_reading_twice_gives_the_same() -> None:
    for folder in sorted(CORPUS.glob("*/*")):
        assert read_manifests(files_under(folder)) == read_manifests(files_under(folder))


def test_every_kind_recognises_its_own_and_no_other() -> None:
    ours = {"compose": "compose", "dockerfile": "dockerfile", "kubernetes": "kubernetes", "systemd": "systemd"}
    for kind, member in ours.items():
        for folder in sorted((CORPUS / kind).iterdir()):
            main = files_under(folder)[0] if kind != "systemd" else None
            for file in files_under(folder):
                if main is None and not file.path.endswith((".service", ".container")):
                    continue
                if file.path.endswith((".env", ".sh")):
                    continue
                first = next(name for name, each in MANIFESTS.items() if each.recognises(file))
                assert first == member, file.path
