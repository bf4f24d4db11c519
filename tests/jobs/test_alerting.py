"""Exported alerts: promtool takes them, the examples prove them, and every metric is one that the engine has."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from knockon.jobs.alerting.alerts import Alerts, Scope, alerts_of
from knockon.jobs.alerting.documents import alerts_document, document, readings_document
from knockon.jobs.alerting.proof import files_of, write_files
from knockon.jobs.promtool import run
from knockon.rules.trend import trend_of
from knockon.sources.prometheus.table import exporters
from knockon.terms.errors import KnockonError
from tests.shipped import shipped

ENGINES = ("vllm", "sglang", "trtllm", "tgi")
SETS = (
    "expected_output_tokens_per_s=4000",
    "macro_converged=true",
    "service_converged=true",
    "e2e_slow=true",
    "communication_share_ratio=0.4",
)
# The names under which the handed list keeps the exporters of the tables.
LISTED = {
    "vllm": "vllm",
    "sglang": "sglang",
    "trtllm": "tensorrt-llm",
    "triton_trtllm": "triton-tensorrtllm",
    "triton": "triton-server",
    "dcgm": "dcgm-exporter",
}
# Fields of DCGM that the exporter gives where its counters file names them; the list has those of its own files only.
FIELDS = {"DCGM_FI_DEV_POWER_MGMT_LIMIT", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS"}
# The V0 engine's, which the list leaves out.
FORMER = {"vllm:avg_generation_throughput_toks_per_s", "vllm:avg_prompt_throughput_toks_per_s"}

every_engine = pytest.mark.parametrize("engine", ENGINES)


def exported(engine: str, **scope: object) -> Alerts:
    return alerts_of(shipped(), Scope(engine, **scope))  # type: ignore[arg-type]


def folder_of(alerts: Alerts, folder: Path) -> list[str]:
    knowledge = shipped()
    return [
        str(path) for path in write_files(files_of(alerts, knowledge.catalog, knowledge.rulebook.vocabulary), folder)
    ]


def said(done: subprocess.CompletedProcess[str]) -> tuple[int, str]:
    return done.returncode, done.stdout + done.stderr


@pytest.mark.usefixtures("promtool")
@pytest.mark.parametrize(
    ("engine", "scope"),
    [
        *(pytest.param(engine, {}, id=f"plain-{engine}") for engine in ENGINES),
        *(pytest.param(engine, {"sets": SETS}, id=f"set-{engine}", marks=pytest.mark.proof) for engine in ENGINES),
        # These change what all engines' expressions have in common.
        pytest.param("vllm", {"by": ()}, id="by nothing-vllm", marks=pytest.mark.proof),
        pytest.param(
            "vllm", {"by": ("cluster", "namespace", "model_name")}, id="by model-vllm", marks=pytest.mark.proof
        ),
        pytest.param("vllm", {"profile": "h100-vllm-chat"}, id="profile-vllm"),
    ],
)
def test_promtool_takes_the_rules_and_their_examples_hold(
    engine: str, scope: dict[str, object], tmp_path: Path
) -> None:
    alerts = exported(engine, **scope)
    readings, rules, tests = folder_of(alerts, tmp_path)

    for file in (readings, rules):
        code, text = said(run("check", "rules", file))
        assert code == 0, text
    if scope and "profile" not in scope:
        # Examples are written for the levels of the default profile, and most need what `set` says.
        code, text = said(run("test", "rules", tests))
        assert code == 0, text
    assert alerts.alerts
    every = {rule.id for rule in shipped().rulebook.diagnose}
    assert {one.rule.id for one in (*alerts.alerts, *alerts.left_out)} == every


@pytest.mark.usefixtures("promtool")
def test_one_file_with_both_groups_is_taken_too(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(document(exported("vllm"), shipped().catalog), encoding="utf-8")

    code, text = said(run("check", "rules", str(file)))

    assert code == 0, text


@pytest.mark.usefixtures("promtool")
def test_scrapes_of_vllm_become_readings_and_an_alert_and_two_models_become_neither(tmp_path: Path) -> None:
    folder_of(exported("vllm"), tmp_path)
    where = 'namespace="a", model_name="m"'
    other = 'namespace="b", model_name="m"'
    second = 'namespace="b", model_name="n"'
    series = [
        {"series": f"vllm:num_requests_running{{{labels}}}", "values": "8x40"} for labels in (where, other, second)
    ]
    series += [
        {"series": f"vllm:kv_cache_usage_perc{{{labels}}}", "values": "0.98x40"} for labels in (where, other, second)
    ]
    series += [
        {"series": f"vllm:num_preemptions_total{{{labels}}}", "values": "0+3x40"} for labels in (where, other, second)
    ]
    # A sentinel in place of a share: no reading, and no alert.
    series += [{"series": 'DCGM_FI_PROF_DRAM_ACTIVE{namespace="a"}', "values": "9.223372036854775792e18x40"}]
    recorded = '{__name__="knockon:kv_cache_usage_ratio", engine="vllm", namespace="a"}'
    questions = [
        {"expr": 'knockon:kv_cache_usage_ratio{engine="vllm"}', "exp_samples": [{"labels": recorded, "value": 0.98}]},
        {
            "expr": 'knockon:preemptions_per_s{engine="vllm"} * 5',
            "exp_samples": [{"labels": '{engine="vllm", namespace="a"}', "value": 1}],
        },
        {"expr": "knockon:memory_bandwidth_utilization_ratio", "exp_samples": []},
        {
            "expr": 'count by (alertname, namespace) (ALERTS{alertname="KnockonKvCacheThrash", alertstate="firing"})',
            "exp_samples": [{"labels": '{alertname="KnockonKvCacheThrash", namespace="a"}', "value": 1}],
        },
    ]
    test = {
        "interval": "15s",
        "input_series": series,
        "promql_expr_test": [{**question, "eval_time": "8m"} for question in questions],
    }
    files = ["knockon-vllm-readings.yaml", "knockon-vllm-alerts.yaml"]
    plan = tmp_path / "plan.yaml"
    plan.write_text(json.dumps({"rule_files": files, "evaluation_interval": "15s", "tests": [test]}), encoding="utf-8")

    code, text = said(run("test", "rules", str(plan)))

    assert code == 0, text


@every_engine
def test_every_metric_that_is_asked_for_is_one_of_its_exporter(engine: str, shared_dir: Path) -> None:
    listed = json.loads((shared_dir / "research" / "engines" / "metrics.json").read_text(encoding="utf-8"))
    known = {entry["exported_name"] for entry in listed["metrics"]} | {entry["name"] for entry in listed["metrics"]}
    known |= {rename["old"] for rename in listed["renames"] if "old" in rename}
    covered = {exporter.prefixes[0] for exporter in exporters() if exporter.name in LISTED}

    asked = {metric for one in exported(engine, sets=SETS).recorded for metric in one.metrics}

    unknown = {name for name in asked - FIELDS - FORMER if name.startswith(tuple(covered))} - known
    assert {name for name in unknown if name.removesuffix("_total") not in known} == set()


def test_rule_that_no_metric_decides_is_left_out_with_the_reason() -> None:
    left_out = {str(one.rule.id): one.why for one in exported("vllm").left_out}

    assert left_out["D012"] == (
        "no metric of vllm by namespace gives the reading data_wait_share_ratio, the reading "
        "expected_output_tokens_per_s; --set gives it a value"
    )
    assert "# Left out:\n" in alerts_document(exported("vllm"), shipped().catalog)


def test_what_is_set_makes_a_rule_decidable_and_disappears_from_its_condition() -> None:
    alerts = {str(one.rule.id): one for one in exported("vllm", sets=SETS).alerts}

    assert alerts["D006"].expression == (
        'knockon:compute_utilization_ratio{engine="vllm"} < 0.85'
        ' and knockon:memory_occupancy_ratio{engine="vllm"} < 0.85'
        ' and knockon:output_tokens_per_s{engine="vllm"} < 4000'
    )


def test_by_model_leaves_out_what_the_machine_says() -> None:
    alerts = exported("vllm", by=("namespace", "model_name"))

    assert {one.name for one in alerts.recorded if one.metrics and not one.metrics[0].startswith("vllm:")} == set()
    assert "D004" in {str(one.rule.id) for one in alerts.left_out}
    assert "knockon:models{" not in readings_document(alerts)


@pytest.mark.parametrize(
    ("scope", "says"),
    [
        ({"engine": "tgj"}, "no metrics are known of an engine 'tgj'"),
        ({"engine": "vllm", "by": ('a"b',)}, "is no label"),
        ({"engine": "vllm", "window": "5"}, "is no range of PromQL"),
        ({"engine": "vllm", "window": "0m"}, "is no range of PromQL"),
        ({"engine": "vllm", "window": ""}, "is no range of PromQL"),
        # Prometheus wants the larger unit first.
        ({"engine": "vllm", "window": "30m1h"}, "is no range of PromQL"),
        ({"engine": "vllm", "sets": ("nothing_ratio=1",)}, "no fact is called"),
        ({"engine": "vllm", "profile": "none"}, "no profile is called"),
    ],
)
def test_what_cannot_be_exported_is_refused(scope: dict[str, object], says: str) -> None:
    with pytest.raises(KnockonError, match=re.escape(says)):
        alerts_of(shipped(), Scope(**scope))  # type: ignore[arg-type]


@pytest.mark.usefixtures("promtool")
def test_ranges_of_prometheus_are_taken(tmp_path: Path) -> None:
    readings, *_ = folder_of(exported("vllm", window="1h30m"), tmp_path)

    code, text = said(run("check", "rules", readings))

    assert code == 0, text
    assert "[1h30m]" in Path(readings).read_text(encoding="utf-8")


# Every 15 s for 20 minutes: a line, a line in noise, noise alone, and too short a row.
STEPS = 81
ROWS: dict[str, list[float | None]] = {
    "a": [0.4 + 0.006 * step for step in range(STEPS)],
    "b": [0.4 + 0.006 * step + 0.01 * (-1) ** step for step in range(STEPS)],
    "c": [0.5 + 0.01 * (-1) ** step for step in range(STEPS)],
    "d": [None] * (STEPS - 12) + [0.4 + 0.006 * step for step in range(12)],
}


@pytest.mark.usefixtures("promtool")
def test_trends_of_scrapes_are_what_answers_say_and_fire_alerts(tmp_path: Path) -> None:
    folder_of(exported("vllm"), tmp_path)
    series, questions = [], []
    for group, row in ROWS.items():
        labels = f'namespace="{group}", model_name="m"'
        values = " ".join("_" if value is None else f"{value:.6f}" for value in row)
        series += [
            {"series": f"vllm:kv_cache_usage_perc{{{labels}}}", "values": values},
            {"series": f"vllm:num_requests_running{{{labels}}}", "values": f"8x{STEPS}"},
            {"series": f"vllm:num_requests_waiting{{{labels}}}", "values": f"0+1x{STEPS}"},
            {"series": f"vllm:generation_tokens_total{{{labels}}}", "values": f"0+1500x{STEPS}"},
            {"series": f'vllm:request_success_total{{{labels}, finished_reason="stop"}}', "values": f"0+15x{STEPS}"},
        ]
        # What the last ten minutes say, as in an answer.
        seen = [(15.0 * step, value) for step, value in enumerate(row) if value is not None][-41:]
        trend = trend_of([at for at, _ in seen], [value for _, value in seen]) if len(seen) > 20 else None
        slope = f'knockon:kv_cache_usage_slope_per_s{{engine="vllm", namespace="{group}"}}'
        if trend is None:
            questions.append({"expr": slope, "exp_samples": []})
            continue
        # Least squares and Sen's slope differ in noise by little.
        near = f"abs({slope} - {trend.slope_per_s:.9f}) <= bool {0.05 * trend.slope_per_s + 1e-9:.9f}"
        found = {"labels": f'{{engine="vllm", namespace="{group}"}}', "value": 1}
        questions.append({"expr": near, "exp_samples": [found]})
    one = '{engine="vllm", namespace="a"}'
    # 8 + 40 … 80 requests in flight, and a rate that stays once its range is full.
    questions += [
        {
            "expr": f"round({name}{one}, 0.001)",
            "exp_samples": [{"labels": one, "value": value}],
        }
        for name, value in (
            ("knockon:in_flight_trend_factor", round(88 / 48, 3)),
            ("knockon:throughput_trend_factor", 1),
            ("knockon:waiting_slope_per_s", round(1 / 15, 3)),
        )
    ]
    firing = [("KnockonKvPoolFilling", "a"), ("KnockonKvPoolFilling", "b")]
    firing += [("KnockonThroughputFlatQueueGrows", group) for group in "abcd"]
    alerts = "KnockonKvPoolFilling|KnockonThroughputFlatQueueGrows"
    questions.append(
        {
            "expr": f'count by (alertname, namespace) (ALERTS{{alertname=~"{alerts}", alertstate="firing"}})',
            "exp_samples": [
                {"labels": f'{{alertname="{alert}", namespace="{group}"}}', "value": 1} for alert, group in firing
            ],
        }
    )
    test = {
        "interval": "15s",
        "input_series": series,
        "promql_expr_test": [{**question, "eval_time": "20m"} for question in questions],
    }
    files = ["knockon-vllm-readings.yaml", "knockon-vllm-alerts.yaml"]
    plan = tmp_path / "plan.yaml"
    plan.write_text(json.dumps({"rule_files": files, "evaluation_interval": "15s", "tests": [test]}), encoding="utf-8")

    code, text = said(run("test", "rules", str(plan)))

    assert code == 0, text
