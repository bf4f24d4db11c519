"""Whatever a file holds, it is read or refused with a clear error; nothing else is ever raised."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knockon.cli.deployment import Options, from_file
from knockon.jobs.deployment import Asked
from knockon.terms.errors import KnockonError
from tests.texts import texts

WORDS = [
    *("vllm", "serve", "Qwen/Qwen3-8B", "--tensor-parallel-size", "-tp", "8", "{", "}", "[", "]", ":", '"', ",", "'"),
    *("engine", "model_type", "facts", "\n", "\\", "$(x)", "&&", "|", "- ", "#", "null", "1e999", "\t", "command: "),
]
TEXTS = st.one_of(texts(max_size=80), st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))


def outcome(file: Path) -> Asked | str:
    """What is read of a file, or the words it is refused with."""
    try:
        return from_file(str(file), Options())
    except KnockonError as error:
        return str(error)


@pytest.mark.parametrize("suffix", [".sh", ".yaml", ".json"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS)
def test_any_text_is_read_or_refused(tmp_path: Path, suffix: str, text: str) -> None:
    file = tmp_path / f"given{suffix}"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")

    assert outcome(file) != ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "given"
    file.write_bytes(raw)

    assert outcome(file) != ""
