"""The habits of CONTRIBUTING.md that a machine can see, beyond what ruff, mypy and the import contracts check."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "service" / "knockon"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((CHECKOUT / "tests").rglob("*.py"))

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
# Names that say nothing about what is inside: a room gets the name of what is done in it.
EMPTY_NAMES = {"utils", "util", "common", "helpers", "helper", "core", "manager", "misc"}


def place(path: Path, line: int = 1) -> str:
    return f"{path.relative_to(CHECKOUT)}:{line}"


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function below `tree`, those in functions too; expressions, most of a tree, hold none."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        if not isinstance(node, ast.expr):
            yield from functions(node)


def test_every_file_can_be_read_at_one_go() -> None:
    lines = {place(path): len(path.read_text().splitlines()) for path in [*SOURCES, *TESTS]}

    long = {where: count for where, count in lines.items() if count > FILE_LINES_MAX}
    assert long == {}, f"split these; the limit is {FILE_LINES_MAX} lines"


def test_every_function_fits_a_screen() -> None:
    lines = {
        place(path, node.lineno): (node.end_lineno or 0) - node.lineno + 1
        for path in SOURCES
        for node in functions(ast.parse(path.read_text()))
    }

    long = {where: count for where, count in lines.items() if count > FUNCTION_LINES_MAX}
    assert long == {}, f"split these; the limit is {FUNCTION_LINES_MAX} lines"


def test_no_room_has_a_name_that_says_nothing() -> None:
    rooms = [path for path in PACKAGE.rglob("*") if path.suffix in {"", ".py"}]

    assert [place(path) for path in rooms if path.stem in EMPTY_NAMES] == []


@pytest.mark.parametrize("folder", ["alembic", "catalog", "rules"])
def test_data_folder_is_no_package_that_could_shadow_a_library(folder: str) -> None:
    assert [place(path) for path in (CHECKOUT / folder).rglob("__init__.py")] == []


def test_names_are_imported_from_where_they_are_defined() -> None:
    lists = [place(path) for path in SOURCES if "__all__" in path.read_text()]

    assert lists == [], "there is no __all__; import from the module that defines"


def test_setup_warms_with_the_one_law_that_is_marked() -> None:
    marked = [
        node
        for path in TESTS
        for node in functions(ast.parse(path.read_text()))
        if "pytest.mark.warming" in map(ast.unparse, node.decorator_list)
    ]

    assert len(marked) == 1
    # Only a law has hypothesis note the constants of all modules.
    assert any(ast.unparse(one).startswith("given(") for one in marked[0].decorator_list)
    assert "pytest -qq -m warming" in (CHECKOUT / "Makefile").read_text()
