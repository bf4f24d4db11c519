"""The verbs beside `check`: what they answer, in tables and JSON, in both languages."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Knockon
from tests.curate.trees import changed, written
from tests.data import read_yaml
from tests.program import stay_on_one_day


def answer(knockon: Knockon, *arguments: str) -> dict[str, Any]:
    done = knockon(*arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    said: dict[str, Any] = json.loads(done.out)
    return said


@pytest.mark.parametrize("name", ["DCP", "dcp-size", "解码上下文并行", "decode-context-parallelism"])
def test_technique_goes_by_any_of_its_names(knockon: Knockon, name: str) -> None:
    said = answer(knockon, "locate", name)

    assert (said["kind"], said["technique"]["id"]) == ("technique", "decode-context-parallelism")
    assert said["technique"]["cells"][0] == ["inference", "L5", "storage"]


def test_flag_stands_for_its_technique(knockon: Knockon) -> None:
    said = json.loads(knockon("locate", "--format", "json", "--", "--decode-context-parallel-size").out)

    assert said["technique"]["id"] == "decode-context-parallelism"


def test_dcp_is_compared_with_pcp(knockon: Knockon) -> None:
    said = answer(knockon, "locate", "DCP")

    [contrast] = [one for one in said["contrasts"] if one["right"]["technique"] == "prefill-context-parallelism"]
    assert (contrast["left"]["adds_devices"], contrast["right"]["adds_devices"]) == (False, True)


@pytest.mark.parametrize("words", ["decode slow, memory tight", "解码慢，显存紧张"])
def test_slow_decode_with_tight_memory_is_not_the_application(knockon: Knockon, words: str) -> None:
    said = answer(knockon, "locate", words)

    assert said["kind"] == "symptom"
    assert "L7" in said["cleared"]


@pytest.mark.parametrize("words", ["end-to-end slow while each layer is fine", "端到端慢，但每一层都正常"])
def test_slow_end_to_end_with_every_layer_fine_is_scheduling(knockon: Knockon, words: str) -> None:
    said = answer(knockon, "locate", words)

    assert said["layers"][0]["layer"] == "L6"


def test_hops_that_do_not_hold_here_are_listed_apart(knockon: Knockon) -> None:
    Path("run.sh").write_text("vllm serve Qwen/Qwen3-235B-A22B -tp 8")

    here = answer(knockon, "breaks", "tensor-parallelism", "--deployment", "run.sh")
    anywhere = answer(knockon, "breaks", "tensor-parallelism")

    assert {hop["truth"] for hop in here["does_not_apply"]} == {"false"}
    assert here["facts"] != []
    assert (anywhere["does_not_apply"], anywhere["facts"]) == ([], [])
    assert [hop for hop in anywhere["hops"] if hop["after"] is not None and hop["after"] >= len(anywhere["hops"])] == []


def test_of_many_techniques_hit_at_one_quantity_the_nearest_are_shown_unless_all_are_asked_for(
    knockon: Knockon,
) -> None:
    asked = ("breaks", "chunked-prefill", "--depth", "2", "--set", "enable_chunked_prefill=true")
    every = [one for one in answer(knockon, *asked)["hops"] if one["to"]["kind"] == "technique"]
    few, all_of_them = (knockon(*asked, *more, COLUMNS="300").out for more in ((), ("--verbose",)))

    hit = "[├└]─ (?:eats the gain of|works against|conflicts with|degrades|requires|strands|takes the relief)"
    shown, left = len(re.findall(hit, few)), map(int, re.findall("([0-9]+) more techniques? (?:is|are) hit there", few))
    assert shown < len(every) / 3
    assert shown + sum(left) == len(every) == len(re.findall(hit, all_of_them))
    assert "hit there" not in all_of_them


def test_sentence_of_an_influence_reads_right_whichever_way_its_cause_moves(knockon: Knockon) -> None:
    def told(technique: str, language: str) -> str:
        lines = re.sub("[│├└─]", "", knockon("breaks", technique, KNOCKON_LANG=language).out)
        return " ".join(lines.split())

    bytes_fall, bytes_rise = told("kv-cache-quantization", "en"), told("chunked-prefill", "en")
    law = "While decode is bound by bandwidth, the token rate is the bandwidth divided by the bytes per token"
    assert f"Output throughput ↑ (compute): {law}" in bytes_fall
    assert f"Output throughput ↓ (compute): {law}" in bytes_rise

    room_rises, room_falls = told("decode-context-parallelism", "zh"), told("async-scheduling", "zh")
    assert "抢占频率 ↓ (调度): 缓存装不下整批请求时就会发生抢占" in room_rises
    assert "抢占频率 ↑ (调度): 缓存装不下整批请求时就会发生抢占" in room_falls


def test_fused_collective_is_found_between_drivers_and_compilers(knockon: Knockon) -> None:
    said = answer(knockon, "place", "--stage", "inference", "--layer", "L3", "--dimension", "network")

    assert "matmul-allreduce-fusion" in [one["technique"] for one in said["residents"]]
    assert said["standing"] == "undecided"
    told = knockon("place", "--stage", "inference", "--layer", "L3", "--dimension", "network").out
    assert "Say it with --mechanism." in " ".join(told.split())


def test_cell_that_is_no_cell_is_refused(knockon: Knockon) -> None:
    done = knockon("place", "--stage", "inference", "--layer", "L5", "--dimension", "storage", "--also", "L5")

    assert done.code == 2
    assert "expected STAGE/LAYER/DIMENSION" in " ".join(done.err.split())


def test_readings_are_diagnosed_from_a_file_and_from_options(knockon: Knockon) -> None:
    Path("readings.yaml").write_text("memory_occupancy_ratio: 95 %\ncompute_utilization_ratio: 0.9\n")

    said = answer(knockon, "diagnose", "readings.yaml", "--set", "compute_utilization_ratio=0.4")

    assert said["verdict"] == "memory"
    assert [one["rule"] for one in said["hypotheses"]] == ["D003"]
    assert [(one["reading"], one["value"]) for one in said["hypotheses"][0]["observations"]] == [
        ("compute_utilization_ratio", 0.4),
        ("memory_occupancy_ratio", 0.95),
    ]
    assert said["operator_gate"]["open"] is False


def test_two_scrapes_give_rates(knockon: Knockon) -> None:
    scrape = '# TYPE vllm:num_preemptions_total counter\nvllm:num_preemptions_total{{model_name="m"}} {count}\n'
    Path("old.prom").write_text(scrape.format(count=10))
    Path("new.prom").write_text(scrape.format(count=70))

    alone = answer(knockon, "diagnose", "new.prom")
    both = answer(knockon, "diagnose", "new.prom", "--before", "old.prom", "--elapsed", "30")

    assert [one["reading"] for one in alone["readings"]] == []
    assert {one["reading"]: one["value"] for one in both["readings"]} == {
        "preemptions_per_s": 2.0,
        "restart_between_samples": False,
    }


def test_run_of_a_benchmark_is_chosen_and_its_measurement_is_looked_at_first(knockon: Knockon) -> None:
    line = (
        '{{"request_rate": "inf", "max_concurrency": {cap}, "completed": 500, "duration": 100.0,'
        ' "total_input_tokens": 500000, "total_output_tokens": 50000, "request_throughput": 5.0,'
        ' "output_throughput": 500.0, "total_token_throughput": 5500.0, "median_ttft_ms": {ttft}}}\n'
    )
    Path("bench.jsonl").write_text(line.format(cap=8, ttft=60.0) + line.format(cap="null", ttft=30000.0))

    highest = answer(knockon, "diagnose", "bench.jsonl")
    first = answer(knockon, "diagnose", "bench.jsonl", "--run", "concurrency 8")
    refused = knockon("diagnose", "bench.jsonl", "--run", "9")

    assert (highest["verdict"], [one["rule"] for one in highest["hypotheses"]]) == ("measurement", ["D172"])
    assert [one["reading"] for one in highest["invalid"]] == ["ttft_s_p50"]
    assert first["verdict"] == "insufficient_data"
    assert {one["reading"]: one["value"] for one in first["readings"]}["ttft_s_p50"] == 0.06
    assert first["coverage"]["context"] == 0.67
    assert refused.code == 2
    assert "no run is called '9'" in refused.err


def test_deployment_is_the_context_of_the_readings(knockon: Knockon) -> None:
    Path("run.sh").write_text("vllm serve Qwen/Qwen3-235B-A22B -tp 8")

    said = answer(knockon, "diagnose", "--set", "kv_cache_usage_ratio=0.95", "--deployment", "run.sh")

    assert "key_config" not in said["coverage_absent"]["context"]


def test_another_profile_judges_by_its_own_thresholds(knockon: Knockon) -> None:
    said = answer(knockon, "diagnose", "--profile", "h100-vllm-chat", "--set", "memory_occupancy_ratio=0.95")

    thresholds = {one["name"]: one["profile"] for one in said["profile"]["thresholds"]}
    assert (thresholds["bandwidth_high"], thresholds["compute_low"]) == ("h100-vllm-chat", "default")


def test_rules_are_listed_shown_and_tested(knockon: Knockon) -> None:
    listed = answer(knockon, "rules", "list")["rules"]
    couple = answer(knockon, "rules", "list", "--kind", "couple")["rules"]
    shown = answer(knockon, "rules", "show", "k001")
    catalog, rules = written(Path("tree"))
    tested = answer(knockon, "rules", "test", "--catalog", str(catalog), "--rules", str(rules))

    assert [one["id"] for one in listed if one["kind"] == "couple"] == [one["id"] for one in couple]
    assert (shown["id"], shown["verdict"]) == ("K001", "degraded")
    # The examples of the shipped rules run in tests/curated and tests/rules.
    assert (tested["verdict"], tested["failed"]) == ("passed", [])


def test_example_that_fails_is_shown_and_ends_with_one(knockon: Knockon) -> None:
    name = "rules/couple/K001-copies.yaml"
    catalog, rules = written(Path("tree"), changed(name, "expect: fires", "expect: silent"))

    done = knockon("rules", "test", "--catalog", str(catalog), "--rules", str(rules), "--format", "json")

    assert done.code == 1
    said = json.loads(done.out)
    assert [(one["rule"], one["expect"], one["got"]) for one in said["failed"]] == [("K001", "silent", "fires")]
    [at] = [one["at"] for one in said["failed"]]
    line = (rules / "couple" / "K001-copies.yaml").read_text(encoding="utf-8").splitlines()[at["line"] - 1]
    assert (at["path"], line[at["column"] - 1 :].startswith("silent")) == (f"tree/{name}", True)


def test_problems_of_a_tree_have_their_places_and_end_with_one(knockon: Knockon) -> None:
    name = "catalog/techniques/inference/sharding.yaml"
    catalog, rules = written(Path("tree"), changed(name, "quantity: cache_tokens", "quantity: cache_token"))
    trees = ("--catalog", str(catalog), "--rules", str(rules))

    done, clean = knockon("catalog", "lint", *trees), knockon("rules", "lint", *trees)

    assert (done.code, clean.code) == (1, 0)
    first, empty, last = done.out.splitlines()[0], done.out.splitlines()[-2], done.out.splitlines()[-1]
    assert first.startswith(f"tree/{name}:20:15: no quantity is called 'cache_token'; did you mean 'cache_tokens'?")
    assert (empty, last.split(" — ")[0]) == ("", "✗ refused")
    assert clean.out == f"✓ clean — {rules}\n"


def test_profiles_are_listed_and_shown(knockon: Knockon) -> None:
    listed = answer(knockon, "profile", "list")["profiles"]
    shown = answer(knockon, "profile", "show", "h100-vllm-chat")

    assert [one["name"] for one in listed] == ["default", "h100-vllm-chat"]
    assert {one["profile"] for one in shown["thresholds"]} == {"default", "h100-vllm-chat"}


def test_load_publishes_once_and_says_what_is_new(knockon: Knockon) -> None:
    catalog, rules = written(Path("tree"))
    load = ("catalog", "load", "--catalog", str(catalog), "--rules", str(rules), "--database-url", "sqlite:///k.db",
            "--author", "ada")  # fmt: skip

    first, again = answer(knockon, *load), answer(knockon, *load)
    written(Path("tree"), changed("catalog/techniques/inference/sharding.yaml", "{en: Sharding,", "{en: Shards,"))
    second = answer(knockon, *load)

    assert [(one["revision"], one["changed"]) for one in (first, again, second)] == [(1, True), (1, False), (2, True)]
    assert (second["added"], second["updated"], second["removed"]) == ({}, {"technique": ["sharding"]}, {})
    assert second["author"] == "ada"


def test_states_are_compared_wherever_they_are(knockon: Knockon) -> None:
    catalog, rules = written(Path("tree"))
    database = ("--database-url", "sqlite:///k.db")
    knockon("catalog", "load", "--catalog", str(catalog), "--rules", str(rules), *database)
    written(Path("tree"), changed("catalog/techniques/inference/sharding.yaml", "{en: Sharding,", "{en: Shards,"))

    said = answer(knockon, "catalog", "diff", "1", "tree", *database)
    same = answer(knockon, "catalog", "diff", "tree", "tree")

    assert said == {
        "same": False, "added": {}, "changed": {"technique": {"sharding": ["name"]}}, "removed": {}, "answers": [],
    }  # fmt: skip
    assert same == {"same": True, "added": {}, "changed": {}, "removed": {}, "answers": []}


def test_user_has_a_database_of_their_own(knockon: Knockon, tmp_path: Path) -> None:
    catalog, rules = written(Path("tree"))

    done = knockon("catalog", "load", "--catalog", str(catalog), "--rules", str(rules))

    assert done.code == 0
    assert (tmp_path / "data" / "knockon" / "knockon.db").is_file()


def test_schema_is_the_committed_one(knockon: Knockon) -> None:
    import knockon as package

    done = knockon("schema")

    assert done.out == (Path(package.__file__).parent / "api" / "schema.graphql").read_text(encoding="utf-8")


def test_search_takes_words_and_flags(knockon: Knockon) -> None:
    hits = json.loads(knockon("catalog", "search", "speclative", "decoding", "-n", "1", "--format", "json").out)["hits"]
    by_flag = answer(knockon, "catalog", "search", "--decode-context-parallel-size")

    assert [(hit["id"], hit["where"]) for hit in hits] == [("speculative-decoding", "spelling")]
    assert by_flag["hits"][0]["id"] == "decode-context-parallelism"


@pytest.mark.parametrize(
    ("format_name", "start"),
    [("csv", "id,name_en"), ("markdown", "## "), ("dot", "digraph"), ("mermaid", "flowchart"), ("svg", "<svg ")],
)
def test_catalog_is_written_in_the_format_asked_for(knockon: Knockon, format_name: str, start: str) -> None:
    done = knockon("catalog", "export", "--format", format_name)

    assert done.code == 0
    assert done.out.startswith(start)


def test_schema_of_a_kind_takes_its_shipped_files(knockon: Knockon) -> None:
    import jsonschema

    from knockon.assets import catalog_dir

    schema = json.loads(knockon("catalog", "schema", "technique").out)
    file = catalog_dir() / "techniques" / "inference" / "decode-context-parallelism.yaml"
    body = read_yaml(file)

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(body, schema)
    with pytest.raises(jsonschema.ValidationError, match=r"is not of type 'array'"):
        jsonschema.validate({**body, "cells": "inference"}, schema)


def test_schema_of_no_kind_is_refused(knockon: Knockon) -> None:
    assert knockon("catalog", "schema", "teknique").code == 2


def test_stale_claims_are_told_with_the_day(knockon: Knockon, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = json.loads(knockon("locate", "tensor-parallelism", "--format", "json").out)["technique"]
    stay_on_one_day(monkeypatch, "2099-01-01")
    stale = json.loads(knockon("locate", "tensor-parallelism", "--format", "json").out)["technique"]

    assert [claim["stale"] for claim in (*fresh["shifts"], *fresh["needs"], *fresh["relations"])].count(True) == 0
    assert all(claim["stale"] for claim in (*stale["shifts"], *stale["needs"], *stale["relations"]))
    assert [shift["stale_from"] for shift in stale["shifts"]] == [shift["stale_from"] for shift in fresh["shifts"]]
    assert f"(stale since {stale['shifts'][0]['stale_from']})" in knockon("locate", "tensor-parallelism").out
    assert "起已过期" in knockon("breaks", "tensor-parallelism", "--lang", "zh").out
    assert "(stale since" in knockon("rules", "show", "K001").out
    assert all(hop["stale"] for hop in json.loads(knockon("breaks", "cuda-graphs", "--format", "json").out)["hops"])


def test_export_names_the_day_and_asks_no_clock(knockon: Knockon, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = knockon("catalog", "export", "--format", "json").out
    stay_on_one_day(monkeypatch, "2099-01-01")

    assert knockon("catalog", "export", "--format", "json").out == fresh
    assert '"stale_from"' in fresh
    assert '"stale":' not in fresh
