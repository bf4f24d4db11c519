"""How each reading is obtained: what stands under the name of an exporter is PromQL over metrics that it has."""

import json
import re
from pathlib import Path

import pytest

from knockon.assets import rules_dir
from knockon.jobs.promtool import run
from knockon.sources.prometheus.table import exporters
from tests.data import read_yaml
from tests.shipped import shipped

# Under these names stands PromQL; under `any` words, commands and files.
EXPORTERS = ("vllm", "sglang", "trtllm", "dcgm", "node", "cadvisor", "litellm", "envoy")
# What an engine says nowhere but in its log.
IN_ITS_LOG = "its log: "
# As the list of handed metrics calls them; it has none of the gateways and of cAdvisor.
HANDED = {
    "vllm": "vllm",
    "sglang": "sglang",
    "trtllm": "tensorrt-llm",
    "dcgm": "dcgm-exporter",
    "node": "node_exporter",
}
# In the exporters' own lists and not among the handed ones: no default counter, and no default collector's fixture.
LISTED_ELSEWHERE = {
    "DCGM_FI_DEV_POWER_MGMT_LIMIT",
    "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
    "node_vmstat_pswpin",
    "node_vmstat_pswpout",
    "node_vmstat_pgmajfault",
}
METRIC = re.compile(r"\b(?:(?:vllm|sglang):\w+|(?:trtllm|DCGM|node|container|litellm|envoy)_\w+)")


def expressions() -> list[tuple[str, str, str]]:
    """(reading, exporter, PromQL)."""
    return [
        (name, where, how)
        for name, reading in shipped().rulebook.readings.items()
        for where, how in reading.how.items()
        if where != "any" and not how.startswith(IN_ITS_LOG)
    ]


def metrics_in(expression: str) -> set[str]:
    """The metrics of an expression, histograms without their suffixes."""
    found = METRIC.findall(expression.partition("#")[0])
    return {re.sub(r"_(?:bucket|sum|count)$", "", one) for one in found}


def test_words_for_any_system_name_no_metric_of_one_engine() -> None:
    named = [
        (name, reading.how["any"])
        for name, reading in shipped().rulebook.readings.items()
        if re.search(r"\b(?:vllm|sglang|trtllm|tgi)[:_]", reading.how.get("any", ""), re.IGNORECASE)
    ]

    assert named == []


def test_every_reading_says_how_to_obtain_it() -> None:
    silent = [name for name, reading in shipped().rulebook.readings.items() if not reading.how]
    places = {where for reading in shipped().rulebook.readings.values() for where in reading.how}

    assert silent == []
    assert places <= {*EXPORTERS, "any"}


@pytest.mark.usefixtures("promtool")
def test_what_stands_under_an_exporter_is_promql(tmp_path: Path) -> None:
    rules = [{"record": f"how:{name}:{where}", "expr": how} for name, where, how in expressions()]
    (tmp_path / "how.json").write_text(json.dumps({"groups": [{"name": "how", "rules": rules}]}))

    done = run("check", "rules", "how.json", folder=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert f"{len(rules)} rules found" in done.stdout
    assert len(rules) > 100


def test_what_stands_under_an_exporter_is_about_its_own_metrics() -> None:
    prefixes = {
        "vllm": "vllm:", "sglang": "sglang:", "trtllm": "trtllm_", "dcgm": "DCGM_", "node": "node_",
        "cadvisor": "container_", "litellm": "litellm_", "envoy": "envoy_",
    }  # fmt: skip

    others = [
        (name, where, how)
        for name, where, how in expressions()
        if not metrics_in(how) or not all(one.startswith(prefixes[where]) for one in metrics_in(how))
    ]

    assert others == []


def test_metrics_are_those_of_the_newest_releases(shared_dir: Path) -> None:
    handed = json.loads((shared_dir / "research/engines/metrics.json").read_text())["metrics"]
    known = {
        where: {one["exported_name"] for one in handed if one["exporter"] == called and one["status"] == "current"}
        for where, called in HANDED.items()
    }

    unknown = [
        (name, where, one)
        for name, where, how in expressions()
        if where in HANDED
        for one in metrics_in(how) - known[where] - LISTED_ELSEWHERE
    ]

    assert unknown == []


def test_what_a_scrape_of_an_engine_gives_is_told_for_that_engine() -> None:
    readings = shipped().rulebook.readings
    untold = [
        (name, exporter.engine)
        for exporter in exporters()
        if exporter.engine in ("vllm", "sglang", "trtllm")
        for name in exporter.ways
        if name in readings and exporter.engine not in readings[name].how
    ]

    assert untold == []


def test_what_a_scrape_of_the_machine_gives_is_told_for_its_exporter() -> None:
    readings = shipped().rulebook.readings
    machine = {exporter.name: exporter for exporter in exporters() if exporter.name in ("dcgm", "node")}
    untold = [
        (name, where)
        for where, exporter in machine.items()
        for name in exporter.ways
        if name in readings and not {where, "cadvisor"} & readings[name].how.keys()
    ]

    assert untold == []
    assert read_yaml(rules_dir() / "vocabulary.yaml")["readings"]["sm_active_ratio"]["how"]["dcgm"].startswith("avg(")
