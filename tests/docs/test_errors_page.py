"""From a message to its room: what really goes wrong stands on the page of errors, with a file it really came from."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import knockon
from docs.reference.errors import errors_page
from knockon.catalog.breaks import breaks
from knockon.cli.deployment import Options, from_command
from knockon.curate.document import read_bytes
from knockon.expr.check import check_condition
from knockon.expr.parse import parse
from knockon.jobs.deployment import Asked, deployment_of
from knockon.jobs.diagnose import diagnose
from knockon.sources import read_source
from knockon.store.store import open_store
from knockon.terms.errors import KnockonError
from knockon.terms.unit import parse_unit
from tests.shipped import shipped

PACKAGE = Path(knockon.__file__).parent
ROW = re.compile(r"^\| (.+?) \| (?:`(.*?)`)? ?\| `(.+?)` \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def rows() -> list[tuple[str, str, str]]:
    """Give (message, code, file) of every row; that the page holds them is tested elsewhere."""
    return ROW.findall(errors_page())


def checked(text: str) -> None:
    check_condition(parse(text), shipped().rulebook.vocabulary, text=text)


def sourced(text: str) -> None:
    read_source(text, filename="readings.yaml", vocabulary=shipped().rulebook.vocabulary)


WRONG: dict[str, Callable[[], object]] = {
    "unknown technique": lambda: shipped().catalog.technique("pagd-attention"),
    "unknown model": lambda: deployment_of(shipped(), Asked(model="Qwen/Qwen9")),
    "unknown fact": lambda: deployment_of(shipped(), Asked(sets=["tensor_paralel_size=8"])),
    "impossible value": lambda: deployment_of(shipped(), Asked(sets=["tensor_parallel_size=many"])),
    "unknown profile": lambda: diagnose(shipped(), [], profile="mine"),
    "no engine": lambda: from_command(["ls", "-l"], Options()),
    "flag without value": lambda: from_command(["vllm", "serve", "m", "--tensor-parallel-size"], Options()),
    "word outside the language": lambda: parse("a if b else c"),
    "sign outside the language": lambda: parse("a && b"),
    "deep expression": lambda: parse("(" * 100 + "a" + ")" * 100),
    "unknown name": lambda: checked("tensor_paralel_size > 4"),
    "two units": lambda: checked("available_kv_cache_bytes > ttft_s_p95"),
    "unknown unit": lambda: parse_unit("parsec"),
    "too few hops": lambda: breaks(shipped().catalog, shipped().catalog.live[0], depth=0),
    "YAML alias": lambda: read_bytes(b"a: &x 1\nb: *x\n", "f.yaml"),
    "YAML key twice": lambda: read_bytes(b"a: 1\na: 2\n", "f.yaml"),
    "unknown reading": lambda: sourced("kv_usage: 1\n"),
    "no database": lambda: open_store("sqlite:////nowhere/knockon.db").read(),
    "other database": lambda: open_store("mysql://host/name"),
}


def files_of(error: BaseException) -> set[str]:
    """The package's files that the error came through."""
    files, step = set(), error.__traceback__
    while step is not None:
        path = Path(step.tb_frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE):
            files.add(str(path.relative_to(PACKAGE)))
        step = step.tb_next
    return files


def fits(template: str, message: str) -> bool:
    return (
        re.fullmatch(".*".join(map(re.escape, template.replace("\\|", "|").split("…"))), message, re.DOTALL) is not None
    )


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_message_leads_to_a_file_it_came_from(wrong: Callable[[], object], rows: list[tuple[str, str, str]]) -> None:
    with pytest.raises(KnockonError) as caught:
        wrong()

    error, message = caught.value, caught.value.problem.what
    fitting = [(file, code) for template, code, file in rows if fits(template, message)]
    # The code of a row is empty where only the moment decides it.
    assert [file for file, code in fitting if file in files_of(error) and (not code or fits(code, error.code))], (
        f"{message!r} ({error.code}) from {sorted(files_of(error))} fits only {fitting}"
    )
