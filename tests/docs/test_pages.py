"""The pages name what is there: links, paths, floors, decisions; the templates of CONTRIBUTING.md hold."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from knockon.curate.lint import lint_tree
from knockon.jobs.fmt import translations
from tests.docs.documents import CHECKOUT, PAGES, blocks, links, name_of, paths

DECISIONS = CHECKOUT / "docs" / "decisions"
# Where a path of a page may begin.
ROOTS = (CHECKOUT, CHECKOUT / "service" / "knockon", CHECKOUT / "service" / "knockon" / "engines")
# Made by commands of the page, or by its reader.
MADE = {".venv", "docs/generated"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    targets = [target.partition("#")[0] for target in links(page.read_text(encoding="utf-8"))]

    assert [target for target in targets if target and not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_path_that_is_named_is_there(page: Path) -> None:
    named = [path for path in paths(page.read_text(encoding="utf-8")) if path not in MADE]

    assert [path for path in named if not any((root / path).exists() for root in (page.parent, *ROOTS))] == []


def test_floors_of_the_architecture_are_those_of_the_contract() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in project["tool"]["importlinter"]["contracts"] if one["id"] == "floors")
    (drawn,) = blocks((CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8"), "floors")

    floors = [re.split(r"\s{2,}", line)[0] for line in drawn.splitlines()]

    assert floors == [layer for layer in contract["layers"] if layer != "__main__"]


def test_every_decision_is_listed_under_its_own_title() -> None:
    listed = re.findall(r"\| \[(\d{4})\]\((\S+)\) \| (.+) \|", (DECISIONS / "README.md").read_text(encoding="utf-8"))

    assert [file for _, file, _ in listed] == sorted(page.name for page in DECISIONS.glob("0*.md"))
    for number, file, title in listed:
        first = (DECISIONS / file).read_text(encoding="utf-8").splitlines()[0]
        assert file.startswith(f"{number}-")
        assert first == f"# {number} {title}"


@pytest.mark.parametrize("page", sorted(DECISIONS.glob("0*.md")), ids=lambda page: page.stem)
def test_decision_has_every_part(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        "Context",
        "Decision",
        "Consequences",
        "Alternatives",
        "Files",
    ]
    assert re.search(r"^Decided \d{4}-\d{2}-\d{2}\.$", text, re.MULTILINE)


TEMPLATES = blocks((CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "yaml")


def test_templates_lint_clean_in_the_shipped_tree(tmp_path: Path) -> None:
    paths = [tmp_path / template.splitlines()[0].removeprefix("# ") for template in TEMPLATES]
    for tree in ("catalog", "rules"):
        shutil.copytree(CHECKOUT / tree, tmp_path / tree)
    for path, template in zip(paths, TEMPLATES, strict=True):
        path.write_text(template, encoding="utf-8")
    # As the recipe says: `knockon catalog fmt` comes first.
    record = translations(tmp_path / "catalog", tmp_path / "rules")
    assert record is not None
    record.file.write_text(record.text, encoding="utf-8")

    # Shortening a file may leave a source that nothing cites; what counts are the templates themselves.
    problems = lint_tree(tmp_path / "catalog", tmp_path / "rules")
    assert [str(problem) for problem in problems if problem.at and Path(problem.at.path) in paths] == []


def test_there_is_a_template_for_each_kind_of_thing_that_has_one() -> None:
    assert [template.split("/")[1] for template in TEMPLATES] == ["techniques", "couple", "precedents"]
