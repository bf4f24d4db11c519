"""Every console example of the READMEs is run and must say what the page says, in both languages."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.docs.console import Example, difference, environment, examples, files, run
from tests.docs.documents import CHECKOUT, blocks
from tests.serving import Service, client_of

READMES = {"README.md": "C.UTF-8", "README.zh-CN.md": "zh_CN.UTF-8"}


def text_of(readme: str) -> str:
    return (CHECKOUT / readme).read_text(encoding="utf-8")


def shown() -> list[object]:
    return [
        pytest.param(readme, block, id=f"{readme}: {block.splitlines()[0]}")
        for readme in READMES
        for block in blocks(text_of(readme), "console")
        if not block.startswith("$ make ")
    ]


@pytest.mark.parametrize(("readme", "block"), shown())
def test_console_example_says_what_the_page_says(readme: str, block: str, home: Path, tmp_path: Path) -> None:
    for name, content in files(text_of(readme)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    asked = examples(block)

    outputs = run([one.command for one in asked], folder=tmp_path, environment=environment(home, READMES[readme]))

    for example, output in zip(asked, outputs, strict=True):
        wrong = difference(example.expected, output)
        assert not wrong, f"$ {example.command}\n{wrong}"


@pytest.mark.parametrize("readme", READMES)
def test_make_run_says_what_the_page_says(readme: str, service: Service) -> None:
    (block,) = (block for block in blocks(text_of(readme), "console") if block.startswith("$ make "))
    (example,) = examples(block)

    assert example.command == "make run"
    assert "@$(BIN)/knockon serve --show-first-answer\n" in (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    expected = example.expected.replace("http://127.0.0.1:8000/", f"{service.url}/")
    assert not difference(expected, "".join(f"{line}\n" for line in service.said))


@pytest.mark.parametrize("readme", READMES)
def test_graphql_example_is_answered_as_on_the_page(readme: str, service: Service) -> None:
    text = text_of(readme)
    (query, _mutation), (answer,) = blocks(text, "graphql"), blocks(text, "json")

    with client_of(service.url) as client:
        response = client.post("/graphql", json={"query": query})

    assert response.json() == json.loads(answer)


@pytest.mark.parametrize("readme", READMES)
def test_mutation_of_the_page_keeps_a_run(readme: str, service: Service) -> None:
    _query, mutation = blocks(text_of(readme), "graphql")
    # The page's own day will once be longer ago than runs are kept; each language hands in a run of its own.
    at = datetime.now(UTC) - timedelta(hours=list(READMES).index(readme))
    fresh, count = re.subn(r'takenAt: "[^"]*"', f'takenAt: "{at.isoformat()}"', mutation)

    with client_of(service.url) as client:
        response = client.post("/graphql", json={"query": fresh})

    assert count == 1
    told = response.json()["data"]["submitReadings"]
    assert (told["isNew"], told["run"]["verdict"]) == (True, "MEMORY")


def test_an_example_that_says_something_else_is_noticed() -> None:
    expected = "one\n…\nlast…line\n"

    assert difference(expected, "one\nlast line\n") == ""
    assert difference(expected, "one\ntwo  \nthree\nlast, of all, line\n\n") == ""
    assert difference(expected, "two\nlast line\n").startswith("line 1 of the page is not there:\none\n")
    assert difference(expected, "one\nlast line\nmore\n").startswith("line 4 of the page is not there:\nthe end\n")


def test_both_languages_have_the_same_examples() -> None:
    english, chinese = (
        [[one.command for one in examples(block)] for block in blocks(text_of(readme), "console")] for readme in READMES
    )

    # What is said in the user's own words differs; what is typed does not.
    assert [[re.sub(r'"[^"]*"', '"…"', command) for command in block] for block in english] == [
        [re.sub(r'"[^"]*"', '"…"', command) for command in block] for block in chinese
    ]


@pytest.mark.parametrize("readme", READMES)
def test_make_targets_of_the_page_are_there(readme: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))

    assert set(re.findall(r"\bmake ([a-z]+)", text_of(readme))) - targets == set()


def test_an_example_is_a_command_with_its_lines() -> None:
    assert examples("$ one --x\nsaid\n$ two\n") == [Example("one --x", "said\n"), Example("two", "")]
