"""The configs that curation accepts are those that the reader of a config.json takes, key by key."""

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from pathlib import Path
from typing import Any, cast

import pytest

from knockon.curate.lint import lint_tree
from knockon.curate.shapes.config import COUNT_LISTS, COUNTS, FLAGS, KNOWN, LANGUAGE_PARTS, MAPPINGS, TEXT_LISTS, TEXTS
from knockon.engines.hf_config.normalise import facts_of
from knockon.terms.errors import IntakeError
from knockon.terms.words import Json, JsonObject
from tests.curate.trees import TODAY, written
from tests.shipped import shipped_bundle

# Each as JSON and as YAML: none of them is a value that any count may have.
NO_COUNTS: Mapping[str, Json] = {"-4": -4, '"4"': "4", "true": True, "1.5": 1.5, "[-1]": [-1], "[four]": ["four"]}


class Watched(Mapping[str, Any]):
    """A config that notes every key that is asked for, dotted."""

    def __init__(self, config: Mapping[str, Any], asked: set[str], prefix: str = "") -> None:
        self._config, self._asked, self._prefix = config, asked, prefix

    def __getitem__(self, key: str) -> Any:
        self._asked.add(f"{self._prefix}{key}")
        return self._watched(key, self._config[key])

    def __contains__(self, key: object) -> bool:
        self._asked.add(f"{self._prefix}{key}")
        return key in self._config

    def get(self, key: str, default: Any = None) -> Any:
        self._asked.add(f"{self._prefix}{key}")
        return self._watched(key, self._config.get(key, default))

    def __iter__(self) -> Iterator[str]:
        return iter(self._config)

    def __len__(self) -> int:
        return len(self._config)

    def items(self) -> ItemsView[str, Any]:
        return {key: self._watched(key, value) for key, value in self._config.items()}.items()

    def values(self) -> ValuesView[Any]:
        return {key: self._watched(key, value) for key, value in self._config.items()}.values()

    def _watched(self, key: str, value: Any) -> Any:
        inner = "" if key in LANGUAGE_PARTS else f"{self._prefix}{key}."
        return Watched(value, self._asked, inner) if isinstance(value, dict) else value


@pytest.fixture(scope="module")
def configs() -> Mapping[str, JsonObject]:
    models = shipped_bundle().by_kind["model"]
    return {name: cast("JsonObject", body["config"]) for name, body in models.items()}


def test_facts_are_read_of_every_shipped_model(configs: Mapping[str, JsonObject]) -> None:
    facts = {name: facts_of(config, origin_text=name) for name, config in configs.items()}

    # Of this one the source tells the heads and no more.
    assert [name for name, read in facts.items() if "model_type" not in read] == ["Qwen/Qwen3.8-2.4T-A95B"]


def test_every_key_that_is_read_is_known(configs: Mapping[str, JsonObject]) -> None:
    asked: set[str] = set()

    for name, config in configs.items():
        facts_of(Watched(config, asked), origin_text=name)

    # What stands inside the groups and the cache's scheme of a quantization is read leniently.
    lenient = ("quantization_config.config_groups.", "quantization_config.kv_cache_scheme.")
    assert sorted(key for key in asked - KNOWN if not key.startswith(lenient)) == []
    assert len(asked) > 100


def test_a_key_is_of_one_type() -> None:
    groups = [set(COUNTS), COUNT_LISTS, FLAGS, TEXTS, TEXT_LISTS, MAPPINGS]

    assert sum(len(group) for group in groups) == len(set().union(*groups))


def refused_by_reader(key: str, value: Json) -> bool:
    config: dict[str, Json] = {"model_type": "llama", "multi_query_attention": True}
    *parts, last = key.split(".")
    inner = config
    for part in parts:
        inner = cast("dict[str, Json]", inner.setdefault(part, {}))
    inner[last] = value
    try:
        facts_of(config, origin_text="test")
    except IntakeError:
        return True
    return False


def refused_by_lint(folder: Path, cases: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The cases (key, value as YAML) whose config lint refuses; each is a model of its own in one small tree."""
    files = {}
    for index, (key, value) in enumerate(cases):
        text = f"{key.replace('.', ': {')}: {value}" + "}" * key.count(".")
        model = f"owner/case-{index}: {{config: {{{text}}}, parameters: 1000, cite: [paper]}}\n"
        files[f"catalog/models/case-{index}.yaml"] = (key, value), model
    trees = written(folder, {name: model for name, (_, model) in files.items()})
    refused = (one for one in lint_tree(*trees, today=TODAY) if one.code in ("wrong-type", "out-of-range"))
    return {files[Path(one.at.path).relative_to(folder).as_posix()][0] for one in refused if one.at}


def test_what_the_reader_refuses_curation_refuses(tmp_path: Path) -> None:
    keys = sorted({*COUNTS, *COUNT_LISTS, *FLAGS, *TEXTS, *TEXT_LISTS, *MAPPINGS})
    refused = [(key, value) for key in keys for value, parsed in NO_COUNTS.items() if refused_by_reader(key, parsed)]

    assert len({key for key, _ in refused}) >= 80
    assert sorted(set(refused) - refused_by_lint(tmp_path, refused)) == []


def test_zero_is_refused_where_one_is_the_smallest(tmp_path: Path) -> None:
    cases = {(key, "0") for key, smallest in COUNTS.items() if smallest}

    assert sorted(cases - refused_by_lint(tmp_path, sorted(cases))) == []


def test_zero_is_taken_where_it_is_the_smallest(tmp_path: Path) -> None:
    keys = sorted(key for key, smallest in COUNTS.items() if not smallest)

    assert [key for key in keys if refused_by_reader(key, 0)] == []
    assert refused_by_lint(tmp_path, [(key, "0") for key in keys]) == set()
