"""From a message to its room: what really goes wrong stands on the page of errors, with a file it really came from."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import knockon
from docs.reference.errors import errors_page, handed_on, makers_of, syntax_trees
from knockon.api.document import Documents
from knockon.api.execute import Request, answer
from knockon.api.schema import executable
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
from tests.api.asking import documents, one_revision
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
    "unknown reading": lambda: sourced("moon_phase: 1\n"),
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


def _codes_in(tree: ast.Module) -> Iterator[str]:
    """Every text that stands where a code belongs: first in a Problem or a table's row, or under the name `code`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = [word.value for word in node.keywords if word.arg == "code"]
            if called in ("Problem", "refused", "BadInput", "_Kind") and node.args:
                given.append(node.args[0])
            yield from (one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str))
        elif isinstance(node, ast.FunctionDef):
            named = [*node.args.args, *node.args.kwonlyargs]
            defaults = [*([None] * (len(node.args.args) - len(node.args.defaults))), *node.args.defaults]
            for argument, default in zip(named, [*defaults, *node.args.kw_defaults], strict=True):
                if argument.arg == "code" and isinstance(default, ast.Constant):
                    yield str(default.value)


def test_every_code_of_the_source_is_on_the_page(rows: list[tuple[str, str, str]]) -> None:
    made = {(code, str(path.relative_to(PACKAGE))) for path, tree in syntax_trees().items() for code in _codes_in(tree)}

    assert len(made) > 100
    assert {("unknown-field", "api/refusals.py"), ("internal-error", "api/refusals.py")} <= made
    slugs = {code for code, _ in made if re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", code)}
    assert sorted(slugs - {code for _, code, _ in rows}) == []


# What stands at these calls was said by something else first: an error that was caught, or a value that holds what is
# wrong.
HANDED_ON = re.compile(r"(\w+\.)*(what|message)|str\(error\)|f'[^']*\{(error|\w+\.what)\}(\{more\})?'")
OTHERS_WORDS = {
    ("curate/refusals.py", "context['what']"): "those of our own shapes, in curate/shapes/",
    ("engines/flags.py", "what"): "those of a value on the command line, with the file before them",
    ("sources/result_text.py", "key"): "a key that is given twice, said of with its place where it is caught",
    ("jobs/bad_input.py", "what"): "the field `what`, in one language",
}


def test_only_words_of_others_are_left_out_of_the_page() -> None:
    left_out = set(handed_on())

    assert left_out >= set(OTHERS_WORDS)
    assert [one for one in sorted(left_out - set(OTHERS_WORDS)) if not HANDED_ON.fullmatch(one[1])] == []


# What Python asks for, and what only a fault of ours raises.
NO_COMPLAINT = {"AttributeError", "AssertionError"}


def _called(node: ast.AST) -> set[str]:
    calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
    return {getattr(each, "attr", getattr(each, "id", "")) for each in calls}


def _raised() -> Iterator[tuple[str, str]]:
    """(file, statement) of everything that is raised with words of its own, and made by nothing the page knows."""
    worded = {
        node.name
        for path, tree in syntax_trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and not _called(node).isdisjoint(makers_of(path))
    }
    for path, tree in syntax_trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                words = [
                    each.value
                    for each in ast.walk(node.exc)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str) and " " in each.value
                ]
                if words and _called(node.exc).isdisjoint({*makers_of(path), *worded, *NO_COMPLAINT}):
                    yield str(path.relative_to(PACKAGE)), ast.unparse(node)


def test_everything_that_is_raised_in_words_is_made_by_what_the_page_reads() -> None:
    assert list(_raised()) == []


@pytest.mark.parametrize(
    ("message", "file"),
    [
        ("`heads / 0` divides by zero and never has a value", "curate/checks/constants.py"),
        ("the condition never holds", "curate/checks/constants.py"),
        ("unknown key 'mines'", "curate/refusals.py"),
        ("no source says so", "curate/refusals.py"),
        ("is too large for a number", "curate/scalars.py"),
        ("'quick' is not a number", "sources/amount.py"),
        ("no threshold could be calibrated: none", "jobs/calibrate/calibrate.py"),
        ("without --keep nothing is kept", "cli/keeping.py"),
    ],
)
def test_message_that_is_put_together_elsewhere_is_on_the_page(
    rows: list[tuple[str, str, str]], message: str, file: str
) -> None:
    assert any(fits(template, message) for template, _, path in rows if path == file)


def test_every_message_stands_on_the_page_once(rows: list[tuple[str, str, str]]) -> None:
    assert [row for row, count in Counter(rows).items() if count > 1] == []


def test_code_of_a_graphql_document_means_nothing_else(rows: list[tuple[str, str, str]]) -> None:
    # These two are of every kind of input, and mean the same in all of them.
    shared = {"bad-value", "limit-exceeded"}
    documents = {code for _, code, path in rows if path == "api/refusals.py"} - shared

    assert {code for _, code, path in rows if not path.startswith("api/")} & documents == set()


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("{ nothing }", "unknown-field"),
        ("{ rules(no: 1) { __typename } }", "unknown-argument"),
        ("query ($a: No) { revision { __typename } }", "unknown-type"),
        ("{ revision { ...no } }", "unknown-fragment"),
        ("{ locate { __typename } }", "missing-argument"),
        ("{ revision }", "bad-selection"),
        ("fragment f on Revision { ...f } { revision { ...f } }", "fragment-cycle"),
        ("{", "graphql-syntax"),
        ("fragment f on Revision { number } { revision { __typename } }", "invalid-document"),
        ("{ revision { number @no } }", "invalid-document"),
        ("{ revision @deprecated { number } }", "invalid-document"),
        (
            "fragment f on Revision { number } fragment f on Revision { number } { revision { ...f } }",
            "invalid-document",
        ),
        ("{ revision { number } } query b { revision { number } }", "invalid-document"),
        ("{ techniques(first: $n) { nodes { id } } }", "invalid-document"),
        ("query ($n: Int) { revision { number } }", "invalid-document"),
        ("query ($n: String) { techniques(first: $n) { nodes { id } } }", "invalid-document"),
        ("{ a: revision { number } a: axes { stages { id } } }", "invalid-document"),
        ("{ revision { ... on Technique { id } } }", "invalid-document"),
        ("subscription { axes { stages { id } } }", "invalid-document"),
        ('{ techniques(first: "x") { nodes { id } } }', "bad-value"),
        ("{ techniques(filter: {no: 1}) { nodes { id } } }", "bad-value"),
        ("{ emptyCells(state: EMPTY) { layer } }", "bad-value"),
        ("{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }", "limit-exceeded"),
    ],
)
def test_words_of_the_graphql_library_are_those_on_the_page(
    rows: list[tuple[str, str, str]], document: str, code: str
) -> None:
    read = Documents(executable()).read(document)

    messages = [error["message"] for error in read.errors if error["extensions"]["code"] == code]
    said = [message for message, kind, path in rows if (kind, path) == (code, "api/refusals.py")]
    assert messages
    assert [one for one in messages if not any(begins(words, one) for words in said)] == []


@pytest.mark.parametrize(
    ("query", "name", "variables", "code"),
    [
        ("query a { axes { __typename } } query b { axes { __typename } }", None, {}, "bad-value"),
        ("query a { axes { __typename } }", "b", {}, "bad-value"),
        ("query ($n: Int!) { techniques(first: $n) { nodes { id } } }", None, {}, "bad-value"),
        ("query ($n: Int!) { techniques(first: $n) { nodes { id } } }", None, {"n": None}, "bad-value"),
        ("query ($n: Int) { techniques(first: $n) { nodes { id } } }", None, {"n": "x"}, "bad-value"),
    ],
)
def test_words_of_the_graphql_library_on_a_request_are_those_on_the_page(
    rows: list[tuple[str, str, str]], query: str, name: str | None, variables: dict[str, Any], code: str
) -> None:
    given = answer(
        executable(),
        documents().read(query),
        Request(query, variables, name),
        revisions=one_revision(),
        request_id="1",
        today="2026-11-30",
    )

    [error] = given.body["errors"]
    said = [message for message, kind, path in rows if (kind, path) == (code, "api/refusals.py")]
    assert error["extensions"]["code"] == code
    assert any(begins(words, error["message"]) for words in said), error["message"]


def begins(words: str, message: str) -> bool:
    return re.match(".*".join(map(re.escape, words.split("…"))), message, re.DOTALL) is not None
