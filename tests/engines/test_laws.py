"""What holds for any words whatever."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.engines import ENGINES, read_command
from knockon.engines.base import Configured
from knockon.engines.sglang.engine import flag_table as sglang_flags
from knockon.engines.tgi.engine import flag_table as tgi_flags
from knockon.engines.trtllm.engine import flag_table as trtllm_flags
from knockon.engines.vllm.table import flag_table as vllm_flags
from knockon.manifests.command import split_command
from knockon.terms.argument import arguments_of
from knockon.terms.errors import KnockonError
from tests.texts import texts

PROGRAMS = {
    "vllm": ["vllm", "serve"],
    "sglang": ["sglang", "serve"],
    "trtllm": ["trtllm-serve"],
    "tgi": ["text-generation-launcher"],
}
TABLES = {"vllm": vllm_flags(), "sglang": sglang_flags(), "trtllm": trtllm_flags(), "tgi": tgi_flags()}


VALUES = ["1", "-1", "0", "1e999", "32k", "true", "{}", '{"a": {"b": [1]}}', "[" * 50, "a/b", "$X", "--", "-"]


def words_for(engine: str) -> st.SearchStrategy[list[str]]:
    """Arbitrary words among real flags, values that look right and values that do not."""
    flags = st.sampled_from(sorted(TABLES[engine].spellings))
    values = st.sampled_from(VALUES)
    glued = st.one_of(st.builds("{}={}".format, flags, values), st.builds("{}.k".format, flags))
    return st.lists(st.one_of(flags, values, glued, texts(max_size=8)), max_size=12)


@pytest.mark.parametrize("engine", list(ENGINES))
@given(data=st.data())
def test_no_words_crash_a_reader(engine: str, data: st.DataObject) -> None:
    words = data.draw(words_for(engine))
    try:
        configured = read_command(arguments_of([*PROGRAMS[engine], *words]))
    except KnockonError:
        return

    assert isinstance(configured, Configured)
    names = [fact.name for fact in configured.facts]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("engine", list(ENGINES))
@given(data=st.data())
def test_every_flag_that_was_given_is_kept_or_called_unknown(engine: str, data: st.DataObject) -> None:
    plain = [
        flag for flag in TABLES[engine].flags() if flag.type in ("text", "switch", "bool") and flag.name != "--set"
    ]
    flag = data.draw(st.sampled_from(plain))
    name = data.draw(st.text(string.ascii_lowercase, min_size=12, max_size=12).map("--zq{}".format))
    values = ["word"] if flag.type == "text" else []

    configured = read_command(arguments_of([*PROGRAMS[engine], "org/model", flag.name, *values, name, "7"]))

    assert [each.name for each in configured.given] == [flag.name]
    assert [(each.flag, each.value) for each in configured.unknown_flags] == [(name, "7")]


@given(st.text(alphabet="ab '\"\\\n#;|&>$=", max_size=40))
def test_no_shell_text_crashes_the_splitter(text: str) -> None:
    try:
        words = split_command(text, path="x")
    except KnockonError:
        return

    assert all(word.at is not None and 1 <= word.at.line <= text.count("\n") + 1 for word in words)


@given(st.lists(st.text(alphabet="ab'\"\\$# ", min_size=1, max_size=6), min_size=1, max_size=5))
def test_quoted_words_come_back_as_they_were(words: list[str]) -> None:
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)

    assert [word.text for word in split_command(f"vllm {quoted}", path="x")] == ["vllm", *words]
