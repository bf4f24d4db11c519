"""Every complaint of lint, word for word: one change to the small tree at a time, from cases/*.yaml."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from knockon.curate.lint import CODES, lint_tree
from tests.curate.trees import DIAGNOSE, TODAY, TREE, changed, complaints, written
from tests.data import read_yaml

NO_SOURCE = (
    "no source says so; expected `cite` with a citation or more; add it to catalog/citations/ first; what a source only"
    " implies gets `inferred: true` beside it"
)

CASES = [
    pytest.param(case, id=f"{file.stem}: {case['case']}")
    for file in sorted(Path(__file__).with_name("cases").glob("*.yaml"))
    for case in read_yaml(file)
]


def change_of(case: Mapping[str, str]) -> dict[str, str]:
    return {case["in"]: case["whole"]} if "whole" in case else changed(case["in"], case["replace"], case["by"])


def test_small_tree_is_clean(tmp_path: Path) -> None:
    assert complaints(tmp_path, {}) == []


@pytest.mark.parametrize("case", CASES)
def test_change_is_complained_about_under_a_known_code(tmp_path: Path, case: Mapping[str, str]) -> None:
    problems = lint_tree(*written(tmp_path, change_of(case)), today=TODAY)

    assert "\n".join(str(problem).replace(f"{tmp_path}/", "") for problem in problems) == case["says"]
    assert {problem.code for problem in problems} <= set(CODES)


def test_problems_of_one_file_do_not_hide_those_of_another(tmp_path: Path) -> None:
    found = complaints(
        tmp_path,
        {
            "catalog/axes.yaml": "a: [",
            "catalog/citations/all.yaml": TREE["catalog/citations/all.yaml"].replace("2026-11-28", "soon"),
            "catalog/gpus.yaml": "one: {}\n",
            "rules/walls.yaml": "a: &x 1\nb: *x\n",
        },
    )

    assert found == [
        "catalog/axes.yaml:2:1: this is not YAML: while parsing a flow node; did not find expected node content",
        "catalog/citations/all.yaml:2:57: 'soon' is not a date; expected a date like 2026-11-29",
        "catalog/gpus.yaml:1:6: key 'name' is missing",
        f"catalog/gpus.yaml:1:6: {NO_SOURCE}",
        "rules/walls.yaml:1:4: anchor &x stands here; expected the value alone; remove it",
        "rules/walls.yaml:2:4: an alias stands here; expected the value itself; write it out",
    ]


def test_former_ids_of_each_other_are_a_circle(tmp_path: Path) -> None:
    copying = "catalog/techniques/inference/copying.yaml"

    found = complaints(
        tmp_path,
        {
            **changed("catalog/techniques/inference/sharding.yaml", "[splitting]", "[copying]"),
            **changed(copying, "mechanism: copy\n", "mechanism: copy\nformer_ids: [sharding]\n"),
        },
    )

    said = "are former ids of each other; expected an id nothing has now"
    assert found == [
        f"{copying}:5:14: 'sharding' and 'copying' {said}",
        f"catalog/techniques/inference/sharding.yaml:41:14: 'copying' and 'sharding' {said}",
    ]


def test_removed_technique_frees_its_names(tmp_path: Path) -> None:
    removed = (
        TREE["catalog/techniques/inference/copying.yaml"]
        .replace("id: copying", "id: doubling")
        .replace("mechanism: copy\n", "mechanism: copy\ntombstone: {reason: {en: Gone, zh: 已移除}}\n")
    )

    assert complaints(tmp_path, {"catalog/techniques/inference/doubling.yaml": removed}) == []


def test_profile_without_a_default_is_complained_about(tmp_path: Path) -> None:
    found = complaints(
        tmp_path,
        {
            "rules/profiles/default.yaml": None,
            **changed("rules/profiles/big.yaml", "base: default\n", ""),
            DIAGNOSE: TREE[DIAGNOSE].replace("threshold.cache_high", "0.5").replace("{0.5}", "0.5"),
        },
    )

    assert found == [
        "rules/profiles/big.yaml:1:7: there is no profile 'default'; expected it beside all others; add it"
    ]
