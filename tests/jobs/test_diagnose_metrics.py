"""Metrics that look like a wall and are none, or that cannot tell; the formats are those of real exporters."""

import pytest

from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from knockon.jobs.knowledge import Knowledge
from knockon.sources import read_source
from knockon.sources.prometheus.table import exporters
from knockon.sources.together import together

# A stress test: the GPU is busy to the full and draws what it may, and nothing is served.
BURN = (
    'nvidia_smi_utilization_gpu_ratio{uuid="g"} 1\n'
    'nvidia_smi_memory_used_bytes{uuid="g"} 2e10\nnvidia_smi_memory_total_bytes{uuid="g"} 8e10\n'
    'nvidia_smi_power_draw_watts{uuid="g"} 631.95\nnvidia_smi_enforced_power_limit_watts{uuid="g"} 700\n'
)
DUTY_CYCLE = "index, utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n0, 99 %, 70000 MiB, 81920 MiB\n"
OVERFLOWED = (
    "".join(
        f'sglang:time_to_first_token_seconds_bucket{{le="{bound}",model_name="m"}} {count}\n'
        for bound, count in (("1", 10), ("10", 20), ("30", 23), ("+Inf", 100))
    )
    + 'sglang:time_to_first_token_seconds_count{model_name="m"} 100\n'
)


def _diagnosed(shipped: Knowledge, *texts: str) -> DiagnoseAnswer:
    parts = [
        read_source(text, filename=f"{index}.prom", vocabulary=shipped.rulebook.vocabulary)
        for index, text in enumerate(texts)
    ]
    return diagnose(shipped, together(parts))


@pytest.mark.parametrize("text", [BURN, DUTY_CYCLE], ids=["a stress test", "duty cycle alone"])
def test_a_busy_gpu_is_neither_a_compute_nor_a_bandwidth_wall(shipped: Knowledge, text: str) -> None:
    answer = _diagnosed(shipped, text)
    assert answer.diagnosis.verdict == "insufficient_data"


def test_a_quantile_over_the_last_bucket_is_no_number(shipped: Knowledge) -> None:
    answer = _diagnosed(shipped, OVERFLOWED)
    assert "ttft_s_p95" not in answer.intake.observed
    assert [one.raw for one in answer.intake.missing if one.name == "ttft_s_p95"] == ["> 30 s"]


def test_engine_gpus_and_node_are_judged_in_one_question(shipped: Knowledge) -> None:
    engine = 'vllm:kv_cache_usage_perc{model_name="m"} 0.99\nvllm:num_requests_waiting{model_name="m"} 40\n'
    gpu = 'DCGM_FI_PROF_SM_ACTIVE{gpu="0"} 0.3\nDCGM_FI_DEV_POWER_USAGE{gpu="0"} 9223372036854775794\n'
    answer = _diagnosed(shipped, engine, gpu, 'node_cpu_seconds_total{cpu="0",mode="idle"} 5\n')
    assert answer.diagnosis.verdict == "memory"
    assert answer.intake.observed["sm_active_ratio"].value == 0.3
    assert {one.name for one in answer.intake.missing} == {"power_draw_w", "host_cpu_utilization_ratio"}


def test_two_pods_with_the_same_labels_are_two_replicas(shipped: Knowledge) -> None:
    text = 'vllm:num_requests_waiting{{model_name="m",engine="0"}} {count}\n'
    answer = _diagnosed(shipped, text.format(count=3), text.format(count=9))
    assert answer.intake.observed["waiting_count"].value == 12
    assert {one.replica for one in answer.intake.observed["waiting_count"].from_readings} == {
        "0.prom: model_name=m, engine=0",
        "1.prom: model_name=m, engine=0",
    }


BEFORE = (
    'vllm:generation_tokens_total{model_name="m"} 300\n'
    'vllm:request_success_total{model_name="m",finished_reason="stop"} 3\n'
)
AFTER = (
    'vllm:generation_tokens_total{model_name="m"} 20\n'
    'vllm:request_success_total{model_name="m",finished_reason="stop"} 5\n'
)


def _between(shipped: Knowledge, before: str, after: str) -> DiagnoseAnswer:
    vocabulary = shipped.rulebook.vocabulary
    return diagnose(
        shipped, [read_source(after, filename="now.prom", vocabulary=vocabulary, before=before, elapsed_s=10)]
    )


def test_rates_over_a_restart_are_not_those_of_the_system(shipped: Knowledge) -> None:
    answer = _between(shipped, BEFORE, AFTER)

    assert (answer.diagnosis.verdict, answer.diagnosis.hypotheses[0].rule.id) == ("measurement", "D328")
    # One counter fell, and so did the process whose other counter is higher by now.
    assert {"output_tokens_per_s", "requests_per_s"}.isdisjoint(answer.intake.observed)
    assert {(one.name, one.why[:5]) for one in answer.intake.invalid} == {
        ("requests_per_s", "D328:"),
        ("success_ratio", "D328:"),
    }


def test_rates_of_one_process_are_used(shipped: Knowledge) -> None:
    answer = _between(shipped, AFTER, BEFORE.replace(" 3\n", " 8\n"))

    assert answer.intake.observed["output_tokens_per_s"].value == 28
    assert "D328" not in {one.rule.id for one in answer.diagnosis.hypotheses}


def test_all_that_two_scrapes_give_goes_with_a_restart(shipped: Knowledge) -> None:
    given = {
        name
        for exporter in exporters()
        if exporter.engine
        for name, ways in exporter.ways.items()
        if any(way.kind in ("rate", "total", "histogram") for way in ways)
    }
    # Lengths are those of requests, whichever process had them.
    lengths = {"prompt_tokens_p50", "prompt_tokens_p95", "output_tokens_p50"}

    rule = next(one for one in shipped.rulebook.diagnose if one.id == "D328")

    assert given - set(rule.invalidates) == lengths
