"""The shipped catalog and rules hold together, whole."""

import json

import pytest
import yaml

from knockon.assets import catalog_dir, rules_dir
from knockon.catalog.build import build_catalog
from knockon.curate.layout import ROOMS
from knockon.curate.lint import lint_tree
from knockon.rules.build import build_rulebook
from knockon.rules.examples import run_examples
from knockon.terms.body import string
from knockon.terms.bundle import Bundle, Entry, canonical
from tests.shipped import shipped_bundle


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return shipped_bundle()


def test_shipped_tree_lints_clean(bundle: Bundle) -> None:
    # On the day its newest source was looked at: claims grow stale by themselves, and no test should fail by that.
    today = max(string(body, "checked") for body in bundle.by_kind["citation"].values())

    assert [str(problem) for problem in lint_tree(catalog_dir(), rules_dir(), today=today)] == []


def test_every_kind_is_shipped(bundle: Bundle) -> None:
    assert set(bundle.by_kind) == {room.kind for room in ROOMS}


def test_kept_bodies_are_built_in_the_same_order(bundle: Bundle) -> None:
    # What is kept of a body is its canonical text, in which keys stand by name; a file has an order of its own.
    kept = Bundle.of(Entry(one.kind, one.key, json.loads(canonical(one.body))) for one in bundle.entries)

    first, second = build_rulebook(bundle), build_rulebook(kept)
    assert list(first.vocabulary.names) == list(second.vocabulary.names)
    assert list(first.readings) == list(second.readings)
    for name, kind in first.readings.items():
        assert list(kind.how) == list(second.readings[name].how)
    for key, profile in first.profiles.items():
        assert list(profile.thresholds) == list(second.profiles[key].thresholds)
    for one, other in zip(first.couple, second.couple, strict=True):
        assert [list(fix.set_texts) for fix in one.fixes] == [list(fix.set_texts) for fix in other.fixes]
    catalog, again = build_catalog(bundle), build_catalog(kept)
    for key, technique in catalog.techniques.items():
        assert list(technique.enable_texts) == list(again.techniques[key].enable_texts)


def test_other_readers_of_yaml_take_the_question_marks() -> None:
    # libyaml, which reads the trees, takes one at the end of a plain text in braces; readers of YAML 1.1 proper do not.
    files = [file for folder in (catalog_dir(), rules_dir()) for file in sorted(folder.rglob("*.yaml"))]
    asking = [file for file in files if "?" in file.read_text(encoding="utf-8")]

    assert asking
    for file in asking:
        yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)


def test_axes_are_the_five_stages_and_seven_layers(bundle: Bundle) -> None:
    axes = bundle.by_kind["axes"]["axes"]

    assert {axis: list(axes[axis]) for axis in ("stages", "layers", "dimensions")} == {  # type: ignore[arg-type]
        "stages": ["data", "training", "inference", "validation", "governance"],
        "layers": ["L1", "L2", "L3", "L4", "L5", "L6", "L7"],
        "dimensions": ["compute", "storage", "network", "scheduling", "data", "energy"],
    }


def test_every_example_of_every_rule_does_what_it_says(bundle: Bundle) -> None:
    results = run_examples(build_rulebook(bundle))

    assert [f"{one.rule.id} {one.example.name}: {one.got}" for one in results if not one.passed] == []
    assert {one.rule.id for one in results} == {*bundle.by_kind["couple"], *bundle.by_kind["diagnose"]}


def test_catalog_of_the_shipped_tree_is_built(bundle: Bundle) -> None:
    catalog = build_catalog(bundle)

    assert set(catalog.techniques) == set(bundle.by_kind["technique"])
