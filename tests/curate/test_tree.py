"""Two trees become one bundle, or nothing at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.curate.document import read_bytes
from knockon.curate.layout import ROOMS
from knockon.curate.tree import collect_tree, read_tree
from knockon.terms import limits
from knockon.terms.errors import CurationError, KnockonError, LimitExceeded
from tests.curate.trees import TECHNIQUE, TREE, changed, complaints, written


def test_tree_becomes_a_bundle_of_every_kind(tmp_path: Path) -> None:
    bundle = read_tree(*written(tmp_path))

    assert [(entry.kind, entry.key) for entry in bundle.entries] == [
        ("axes", "axes"),
        ("cell", "inference/L4/storage"),
        ("citation", "paper"),
        ("citation", "values"),
        ("couple", "K001"),
        ("diagnose", "D001"),
        ("gpu", "one"),
        ("model", "owner/small"),
        ("precedent", "EE-1"),
        ("precedent", "checkout-7"),
        ("profile", "big"),
        ("profile", "default"),
        ("quantity", "cache_tokens"),
        ("quantity", "link_bytes"),
        ("quantity", "wait_s"),
        ("symptom", "slow"),
        ("technique", "copying"),
        ("technique", "sharding"),
        ("vocabulary", "vocabulary"),
        ("wall", "cache"),
        ("wall", "memory"),
    ]
    assert {room.kind for room in ROOMS} == set(bundle.by_kind)


def test_body_is_the_yaml_with_defaults_left_out_and_cites_spelt_out(tmp_path: Path) -> None:
    bundle = read_tree(*written(tmp_path))

    assert bundle.by_kind["technique"]["sharding"] == {
        "id": "sharding",
        "name": {"en": "Sharding", "zh": "切分"},
        "aliases": {"en": ["SH", "--shard"], "zh": ["分片"]},
        "cells": [["inference", "L5", "storage"], ["inference", "L4", "network"]],
        "mechanism": "split-by-token",
        "goal": {"en": "Hold more", "zh": "装得更多"},
        "adds_devices": False,
        "summary": {"en": "Splits the cache by token.", "zh": "按 token 切分缓存。"},
        "shifts": [
            {
                "effect": "gain",
                "onto": "storage",
                "quantity": "cache_tokens",
                "change": "up",
                "when": "shard_size > 1",
                "size": {"text": {"en": "Doubles", "zh": "翻倍"}, "factor": 2, "basis": "arithmetic"},
                "says": {"en": "Fewer copies", "zh": "副本更少"},
                "cite": [{"ref": "paper", "where": "section 3"}],
            },
            {
                "effect": "cost",
                "onto": "network",
                "quantity": "link_bytes",
                "change": "up",
                "when": 'engine == "it\'s" or shard_size > 1',
                "says": {"en": "More traffic", "zh": "流量更多"},
                "cite": [{"ref": "paper"}],
            },
        ],
        "needs": [
            {"says": {"en": "Copies", "zh": "有副本"}, "when": "shard_size <= head_count", "cite": [{"ref": "paper"}]}
        ],
        "relations": [
            {
                "kind": "contrasts",
                "to": "copying",
                "says": {"en": "The other way", "zh": "另一种方式"},
                "cite": [{"ref": "paper"}],
            }
        ],
        "engines": {"vllm": {"switch": "--dtype", "since": "0.10"}},
        "detect": "shard_size > 1",
        "former_ids": ["splitting"],
        "cite": [{"ref": "paper"}],
    }


def test_numbers_stay_as_written_and_nulls_of_a_config_stay(tmp_path: Path) -> None:
    bodies = read_tree(*written(tmp_path)).by_kind

    assert bodies["model"]["owner/small"]["config"] == {"num_hidden_layers": 2, "rope_scaling": None}
    values = [bodies["profile"][name]["thresholds"]["cache_high"]["value"] for name in ("default", "big")]  # type: ignore[call-overload,index]
    assert [repr(value) for value in values] == ["0.9", "1"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("    inferred: false\n", "", id="default left out"),
        pytest.param("{ref: paper, where: section 3}", '{where: "section 3", ref: paper}', id="style"),
        pytest.param("cells:", "tombstone: null\ncells:", id="optional key without a value"),
    ],
)
def test_same_meaning_has_the_same_digest(tmp_path: Path, old: str, new: str) -> None:
    first = read_tree(*written(tmp_path / "one"))

    assert read_tree(*written(tmp_path / "two", changed(TECHNIQUE, old, new))).digest == first.digest


def test_every_problem_of_every_file_is_raised_at_once_in_order(tmp_path: Path) -> None:
    catalog_dir, rules_dir = written(
        tmp_path,
        {
            "rules/walls.yaml": "memory: {}\n",
            "catalog/gpus.yaml": "- one\n",
            **changed(TECHNIQUE, "effect: gain", "effect: win"),
        },
    )

    with pytest.raises(CurationError) as caught:
        read_tree(catalog_dir, rules_dir)

    assert str(caught.value).replace(f"{tmp_path}/", "").splitlines() == [
        "catalog/gpus.yaml:1:1: a list stands here; expected a mapping",
        "catalog/techniques/inference/sharding.yaml:18:13: 'win' stands here; expected gain or cost",
        "rules/walls.yaml:1:9: key 'dimension' is missing",
        "rules/walls.yaml:1:9: key 'layers' is missing",
        "rules/walls.yaml:1:9: key 'means' is missing",
        "rules/walls.yaml:1:9: key 'name' is missing",
    ]


def test_files_that_no_kind_owns_are_named(tmp_path: Path) -> None:
    found = complaints(
        tmp_path,
        {
            "catalog/techniques/loose.yaml": "id: loose\n",
            "catalog/techniques/inference/other.yml": "id: other\n",
            "rules/wall.yaml": "a: 1\n",
            "catalog/techniques/.hidden.yaml": "not: [read",
            "catalog/README.md": "not read",
        },
    )

    said = "1:1: no kind of thing lives here; expected one of"
    catalog = (
        "catalog/axes.yaml, catalog/cells.yaml, catalog/citations/<topic>.yaml, "
        "catalog/techniques/<home stage>/<id>.yaml, catalog/quantities/<dimension or burden>.yaml, "
        "catalog/models/<family>.yaml, catalog/gpus.yaml"
    )
    rules = (
        "rules/vocabulary.yaml, rules/walls.yaml, rules/profiles/<name>.yaml, rules/symptoms.yaml, "
        "rules/precedents/<topic>.yaml, rules/couple/<id>-<slug>.yaml, rules/diagnose/<id>-<slug>.yaml"
    )
    assert found == [
        f"catalog/techniques/inference/other.yml:{said} {catalog}; name it .yaml",
        f"catalog/techniques/loose.yaml:{said} {catalog}; move or remove it",
        f"rules/wall.yaml:{said} {rules}; move or remove it",
    ]


def test_folder_that_is_called_like_a_file_is_named(tmp_path: Path) -> None:
    folders = written(tmp_path)
    for name in ("catalog/techniques/inference/one.yaml", "catalog/other.yml", "catalog/.hidden.yaml"):
        (tmp_path / name).mkdir()

    said = [str(problem).removeprefix(f"{tmp_path}/") for problem in collect_tree(*folders).problems]

    assert said[0].startswith("catalog/other.yml:1:1: no kind of thing lives here; expected one of")
    assert said[1:] == ["catalog/techniques/inference/one.yaml:1:1: is a folder; expected a YAML file"]


def test_missing_folder_and_missing_file_are_named(tmp_path: Path) -> None:
    catalog_dir, _ = written(tmp_path, {"catalog/axes.yaml": None})

    problems = collect_tree(catalog_dir, tmp_path / "nowhere").problems

    assert [str(problem).replace(f"{tmp_path}/", "") for problem in problems] == [
        "catalog/axes.yaml:1:1: the file is missing; expected it in every tree",
        "nowhere:1:1: the folder is missing; expected the rules folder",
    ]


def test_refused_thing_still_counts_as_there(tmp_path: Path) -> None:
    found = complaints(tmp_path, changed("catalog/techniques/inference/copying.yaml", "mechanism: copy\n", ""))

    assert found == ["catalog/techniques/inference/copying.yaml:1:1: key 'mechanism' is missing"]


def test_refused_vocabulary_makes_no_name_unknown(tmp_path: Path) -> None:
    found = complaints(tmp_path, changed("rules/vocabulary.yaml", "type: bool", "type: boolean"))

    types = "int or number or bool or text or version"
    assert found == [f"rules/vocabulary.yaml:7:20: 'boolean' stands here; expected {types}; did you mean 'bool'?"]


def test_more_files_than_the_limit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog_dir, rules_dir = written(tmp_path)
    monkeypatch.setattr("knockon.curate.files.TREE_FILES_MAX", 5)

    with pytest.raises(LimitExceeded) as caught:
        read_tree(catalog_dir, rules_dir)

    assert str(caught.value) == f"{catalog_dir}:1:1: the number of YAML files in a tree is over the limit of 5"
    assert limits.TREE_FILES_MAX == 200_000


# Every value of the small technique, so that a random one can take its place.
PLACES = sorted(read_bytes(TREE[TECHNIQUE].encode(), TECHNIQUE).places.values(), key=lambda place: place.start)


@given(st.sampled_from(PLACES), st.text(st.sampled_from("ab:-?[]{},&*!|>'\"%@` #\n0.~"), max_size=12))
def test_random_change_is_read_or_refused_by_us(tmp_path_factory: pytest.TempPathFactory, place, written_there) -> None:  # type: ignore[no-untyped-def]
    text = TREE[TECHNIQUE]
    broken = text[: place.start] + written_there + text[place.end :]
    catalog_dir, rules_dir = written(tmp_path_factory.mktemp("tree"), {TECHNIQUE: broken})

    refusal: KnockonError | None = None
    try:
        read_tree(catalog_dir, rules_dir)
    except KnockonError as error:
        refusal = error

    assert refusal is None or refusal.problem.at is not None
