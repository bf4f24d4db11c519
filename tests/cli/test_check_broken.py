"""`check` over broken manifests: an answer or a refusal with its place, whatever became of the text; never a crash."""

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from knockon.cli.answers import check as one_answer
from knockon.cli.answers.check_rows import Rows
from knockon.cli.answers.words import Speaker
from knockon.cli.deployment import Options, described_in
from knockon.jobs.check_many import check_many
from knockon.jobs.described import Described
from knockon.terms.errors import KnockonError, Problem
from tests.manifests.told import EXPECTED, files_under
from tests.shipped import shipped

CORPUS = Path(__file__).parents[1] / "manifests" / "corpus"
TEXTS = [
    file
    for folder in sorted(CORPUS.glob("*/*"))
    for file in files_under(folder)
    if not file.path.endswith((EXPECTED, ".md"))
]
_WORD = re.compile(r"[\w./-]+")
# Values that somebody may have meant, and that no reader, size or rule expects where they land.
_ODD = (
    "0", "-1", "1", "3", "007", "1e309", "nan", "NaN", "inf", "-0.0", "99999999999999999999", "9223372036854775808",
    "true", "null", "~", "", "''", "{}", "[]", "{a: b}", '{"a": [1]}', "auto", "fp8", "16k", "0x10", "1_000", "½",
    "模型", "--tensor-parallel-size", "--max-model-len=", "--hf-overrides", '{"num_attention_heads": 0}', "vllm",
)  # fmt: skip


@st.composite
def broken(draw: st.DrawFn) -> tuple[str, str]:
    """A path and what became of the text of one file of the corpus."""
    file = draw(st.sampled_from(TEXTS))
    text = file.text
    for _ in range(draw(st.integers(1, 3))):
        match draw(st.sampled_from(["word", "word", "cut", "line", "twice"])):
            case "word" if words := list(_WORD.finditer(text)):
                word = draw(st.sampled_from(words))
                text = text[: word.start()] + draw(st.sampled_from(_ODD)) + text[word.end() :]
            case "cut":
                text = text[: draw(st.integers(0, len(text)))]
            case kind:
                lines = text.split("\n")
                at = draw(st.integers(0, len(lines) - 1))
                lines[at : at + 1] = [lines[at]] * 2 if kind == "twice" else []
                text = "\n".join(lines)
    return file.path, text


def read(path: str, text: str) -> list[Described] | Problem:
    """The launches in a text, or why there are none to be had."""
    try:
        return described_in(path, text, Options())
    except KnockonError as error:
        return error.problem


@settings(max_examples=50)
@given(broken(), st.sampled_from(["en", "zh"]))
def test_every_launch_of_a_broken_manifest_is_answered_or_refused(file: tuple[str, str], language: str) -> None:
    knowledge = shipped()
    described = read(*file)
    if isinstance(described, Problem):
        assert described.at is not None
        return
    rows = Rows(Speaker(language, knowledge.catalog), str)

    checked = list(check_many(knowledge, described, compares_releases=False))

    assert len(checked) == len(described) > 0
    for each in checked:
        assert (each.answer is None) is (each.problem is not None)
        assert rows.launch(each).verdict
        found = rows.of(each)
        if each.answer is None:
            assert found
        else:
            assert one_answer.data(each.answer, knowledge)["verdict"] == each.answer.verdict.value
