"""Every member's cases.yaml, and what holds for every member's table."""

import re
from pathlib import Path
from typing import Any

import pytest

import knockon.engines
from knockon.engines import ENGINES, read_command
from knockon.engines.table import FlagTable, load_table
from knockon.manifests.command import split_command
from knockon.terms.errors import KnockonError
from tests.data import read_yaml

FOLDER = Path(knockon.engines.__file__).parent


def cases() -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}: {case['name']}")
        for name in ENGINES
        for case in read_yaml(FOLDER / name / "cases.yaml")
    ]


@pytest.mark.parametrize(("engine", "case"), cases())
def test_command_reads_as_its_case_says(engine: str, case: dict[str, Any]) -> None:
    words = split_command(case["command"], path="test")
    if "error" in case:
        with pytest.raises(KnockonError) as caught:
            read_command(words, version=case.get("version"), files=case.get("files"))
        assert str(caught.value) == case["error"]
        return

    configured = read_command(words, version=case.get("version"), files=case.get("files"))

    facts = configured.by_name()
    version = case.get("version", case.get("version_read"))
    said = {"engine": engine} | ({"engine_version": version} if version else {})
    stated = {name: fact.value for name, fact in facts.items() if fact.origin.kind != "engine-default"}
    assert stated == said | case["facts"]
    assert {name: facts[name].value for name in case.get("defaults", {})} == case.get("defaults", {})
    assert [name for name in case.get("without", []) if name in facts] == []
    assert (configured.engine, configured.engine_version, configured.model) == (engine, version, case.get("model"))
    assert [
        {"flag": each.flag, "suggestions": list(each.suggestions)} | ({"value": each.value} if each.value else {})
        for each in configured.unknown_flags
    ] == case.get("unknown", [])
    assert [{"flag": each.flag, "value": each.value, "why": each.why.en} for each in configured.refused] == case.get(
        "refused", []
    )
    assert [note.en for note in configured.notes] == case.get("notes", [])


def tables() -> list[FlagTable]:
    return [load_table(FOLDER / name / "flags.yaml") for name in ENGINES]


@pytest.mark.parametrize("table", tables(), ids=list(ENGINES))
def test_flags_are_spelled_like_flags_and_set_facts_like_facts(table: FlagTable) -> None:
    facts = {default.fact for default in table.defaults}
    for flag in table.flags():
        assert re.fullmatch(r"--?[A-Za-z0-9][A-Za-z0-9_-]*", flag.name), flag.name
        facts |= {each.fact for each in (flag.becomes, *flag.keys.values()) if each} | set(flag.sets)
        facts |= {name for special in flag.special.values() for name in special}

    assert [fact for fact in sorted(facts) if not re.fullmatch(r"[a-z][a-z0-9_]*", fact)] == []


@pytest.mark.parametrize("table", tables(), ids=list(ENGINES))
def test_defaults_are_not_conditional_on_flags_that_do_not_exist(table: FlagTable) -> None:
    names = {flag.name for flag in table.flags()}

    assert [flag for default in table.defaults for flag in default.unless if f"--{flag}" not in names] == []


@pytest.mark.parametrize("table", tables(), ids=list(ENGINES))
def test_one_fact_has_one_type_over_all_flags(table: FlagTable) -> None:
    types: dict[str, set[str]] = {}
    for flag in table.flags():
        for becomes in (flag.becomes, *flag.keys.values()):
            if becomes is not None:
                types.setdefault(becomes.fact, set()).add(becomes.type)

    assert {fact: kinds for fact, kinds in types.items() if len(kinds) > 1} == {}
