"""The exporters' tables hold: names and units of the vocabulary, and every name in one table only."""

from pathlib import Path

import pytest

import knockon.sources.prometheus.table as table
from knockon.sources.prometheus.table import Exporter, Way, exporters, wanted_names
from knockon.terms.unit import ONE, Unit, divide, parse_unit
from tests.sources.vocabulary import shipped_vocabulary

EXPORTERS = [pytest.param(exporter, id=exporter.name) for exporter in exporters()]
WAYS = [
    pytest.param(way, id=f"{exporter.name}: {way.reading} by {way.kind} {way.metrics[0]}")
    for exporter in exporters()
    for ways in exporter.ways.values()
    for way in ways
]
# What a counter counts, where its table leaves the unit out.
COUNTED = {"output_tokens_per_s": "token", "prompt_tokens_per_s": "token", "requests_per_s": "request"}
# What a plain gauge of the engines and the GPU exporters is in.
PLAIN = {
    **dict.fromkeys(("waiting_count", "running_count", "gateway_in_flight_count", "gateway_waiting_count"), "request"),
    **dict.fromkeys(("power_draw_w", "power_limit_w"), "W"),
}


def test_twelve_exporters_are_known() -> None:
    assert [exporter.name for exporter in exporters()] == [
        "dcgm", "envoy", "litellm", "llamacpp", "node", "nvidia_gpu_exporter", "sglang", "tgi", "triton",
        "triton_trtllm", "trtllm", "vllm",
    ]  # fmt: skip


def _unit_of(way: Way) -> Unit:
    if way.kind == "rate":
        return divide(parse_unit(COUNTED.get(way.reading, "1")), parse_unit("s"))
    if way.unit_word == "" and not way.over and way.reading in (PLAIN | COUNTED):
        plain = PLAIN.get(way.reading)
        return parse_unit(plain) if plain else divide(parse_unit(COUNTED[way.reading]), parse_unit("s"))
    return way.unit.unit


@pytest.mark.parametrize("way", WAYS)
def test_way_gives_a_reading_of_the_vocabulary_in_its_unit(way: Way) -> None:
    info = shipped_vocabulary().info(way.reading)
    assert info.kind == "reading"
    assert _unit_of(way) == (ONE if info.type == "bool" else info.unit)
    assert (info.type == "bool") == (way.kind in ("any", "bits"))
    assert 0 < way.quantile < 1 if way.kind in ("histogram", "summary") else way.quantile == 0
    assert way.optional <= set(way.over)


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_facts_are_of_the_vocabulary(exporter: Exporter) -> None:
    for fact in exporter.facts:
        info = shipped_vocabulary().info(fact.fact)
        assert info.kind == "fact"
        assert fact.label or info.is_numeric


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_metrics_of_a_table_carry_its_prefixes(exporter: Exporter) -> None:
    assert [name for name in exporter.names() if not exporter.owns(name)] == []


def test_every_metric_belongs_to_one_table() -> None:
    owners: dict[str, set[str]] = {}
    for exporter in exporters():
        for name in exporter.names():
            owners.setdefault(name, set()).add(exporter.name)
    assert {name: tables for name, tables in owners.items() if len(tables) > 1} == {}


def test_other_spellings_lead_to_the_name_of_the_table() -> None:
    names = wanted_names()
    assert names["ray_vllm_kv_cache_usage_perc"] == "vllm:kv_cache_usage_perc"
    assert names["vllm_time_to_first_token_seconds_bucket"] == "vllm:time_to_first_token_seconds_bucket"
    assert names["trtllm:kv_cache_utilization"] == "trtllm_kv_cache_utilization"


@pytest.mark.parametrize(
    "path", sorted(Path(table.__file__).with_name("exporters").iterdir()), ids=lambda path: path.name
)
def test_every_table_says_its_source_and_when_it_was_checked(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert path.suffix == ".yaml"
    assert "Source" in text.split("title:")[0]
    assert "checked: 2026-" in text.split("title:")[0]
