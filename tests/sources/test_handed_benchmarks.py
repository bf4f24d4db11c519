"""Every handed benchmark result is read, or refused in so many words; its traps are looked up by hand."""

from pathlib import Path

import pytest

from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.sources.together import together
from knockon.terms.errors import IntakeError
from tests.sources.vocabulary import shipped_vocabulary

# What is no result, and the reason that must be given for it.
REFUSED = {
    "llmd_planner_redhat_models_benchmarks.csv": "of no kind that can be read",
    "config.yaml": "the configuration of a run of inference-perf, not its result",
    "_manifests.yaml": "a Kubernetes manifest describes a deployment",
    "vllm-project__Google_Gemma4_0.txt": "nothing in the text is a number",
    "vllm-project__Llama_Llama3.3-70B_0.txt": "nothing in the text is a number",
    "vllm-project__Llama_Llama4-Scout_0.txt": "nothing in the text is a number",
    "vllm-project__OpenAI_GPT-OSS_0.txt": "nothing in the text is a number",
}


def _read(path: Path) -> Taken:
    return read_source(path.read_text(encoding="utf-8"), filename=path.name, vocabulary=shipped_vocabulary())


def _bench(shared: Path, name: str) -> Taken:
    return _read(shared / "fixtures" / "bench" / name)


def _values(taken: Taken) -> dict[str, object]:
    return {one.name: one.value for one in taken.readings}


def test_every_handed_result_is_read_or_refused_with_its_reason(shared_dir: Path) -> None:
    paths = sorted(path for path in (shared_dir / "fixtures" / "bench").rglob("*") if path.is_file())
    assert len(paths) == 163
    refused = 0
    for path in paths:
        why = next((why for name, why in REFUSED.items() if path.name.endswith(name)), None)
        if why is not None:
            refused += 1
            with pytest.raises(IntakeError, match=why):
                _read(path)
            continue
        taken = _read(path)
        assert taken.readings or taken.runs, path.name
        for run in taken.runs:
            assert any(one.state == "measured" for one in run.readings), (path.name, run.name)
        assert {one.state for one in taken.readings} <= {"measured", "missing"}, path.name
    assert refused == 12


def test_lines_that_end_as_on_windows_say_the_same(shared_dir: Path) -> None:
    for name in ("llmd_inference_perf_lifecycle.yaml", "inferencex/qwen35_vllm_tp8_isl1024_osl128_conc4.json"):
        text = (shared_dir / "fixtures" / "bench" / name).read_text(encoding="utf-8")
        taken = read_source(text.replace("\n", "\r\n"), filename=name, vocabulary=shipped_vocabulary())
        assert _values(taken) == _values(_bench(shared_dir, name)), name


def test_zero_for_a_first_token_is_missing(shared_dir: Path) -> None:
    taken = _bench(shared_dir, "sglang_bench_serving_ttft_zero.jsonl")
    ttft = {one.name: (one.state, one.why) for one in taken.readings if one.name.startswith(("ttft", "itl"))}
    why = "the answers were not streamed, so no client saw a first token"
    assert ttft == dict.fromkeys(("ttft_s_p50", "ttft_s_p99", "itl_s_p50", "itl_s_p95", "itl_s_p99"), ("missing", why))
    assert _values(taken)["e2e_s_p50"] == pytest.approx(4.8255520130333025)


def test_seconds_and_milliseconds_come_out_alike(shared_dir: Path) -> None:
    in_seconds = _bench(shared_dir, "inferencex/glm5_fp8_vllm_tp8_isl10240_osl128_conc16.json")
    in_ms = _bench(
        shared_dir, "vllm_bench_serve_text/kubeai-project__docs_benchmarks_prefix-aware-load-balancing_0.txt"
    )
    assert _values(in_seconds)["ttft_s_p50"] == 3.1382447043433785
    assert _values(in_ms)["ttft_s_p50"] == 0.60129


def test_a_milliwatt_is_no_watt_and_a_throughput_counts_answers(shared_dir: Path) -> None:
    taken = _bench(shared_dir, "argonne_power_results.csv")
    assert taken.readings == ()
    run = taken.runs[0]
    assert run.value("power_draw_w") == pytest.approx(222.1222711864407)
    # 146.5 as published, of which half are prompt tokens.
    assert run.value("output_tokens_per_s") == pytest.approx(1024 / 13.976857989095151)


@pytest.mark.parametrize("variant", ["vllm", "vllm_batch_size", "vllm_eagle", "vllm_quantization"])
@pytest.mark.parametrize("stage", range(7))
def test_a_renamed_metric_gives_no_zero(shared_dir: Path, variant: str, stage: int) -> None:
    taken = _bench(shared_dir, f"inference-perf/{variant}_stage{stage}_prometheus.json")
    [usage] = [one for one in taken.readings if one.name == "kv_cache_usage_ratio"]
    assert (usage.state, usage.raw) == ("missing", "0.0")
    assert _values(taken)["zero_reading_count"] == 1


def test_the_old_name_gives_a_share(shared_dir: Path) -> None:
    taken = _bench(shared_dir, "inference-perf/vllm_v0_engine_stage5_prometheus.json")
    assert _values(taken)["kv_cache_usage_ratio"] == 0.058597
    assert "zero_reading_count" not in _values(taken)


def test_stages_are_one_sweep_with_a_knee(shared_dir: Path) -> None:
    stages = [_bench(shared_dir, f"inference-perf/vllm_stage{stage}_lifecycle.json") for stage in range(7)]
    server = _bench(shared_dir, "inference-perf/vllm_stage6_prometheus.json")
    client, *rest = together([*stages, server])
    assert len(client.runs) == 7
    values = _values(client)
    assert (values["requested_requests_per_s"], values["throughput_flat_over_load"]) == (183.38, True)
    assert client.notes[-1].en == "throughput stops growing at rate 122.6: 6317 there, 6431 at rate 183.4"
    # The engine's own figures of what the client measured are left out, what only it sees is kept.
    assert {one.name for part in rest for one in part.readings} == {
        "waiting_count", "kv_cache_usage_ratio", "zero_reading_count", "client_server_factor"
    }  # fmt: skip
    # 3.684 s in the engine's histogram, and its clients saw less: that cannot be, so windows or definitions differ.
    assert _values(rest[-1])["client_server_factor"] == pytest.approx(3.684376 / float(str(values["ttft_s_p50"])))


def test_one_stage_of_them_can_be_named(shared_dir: Path) -> None:
    stages = [_bench(shared_dir, f"inference-perf/vllm_stage{stage}_lifecycle.json") for stage in range(7)]
    [client] = together(stages, run="rate 61.79")
    assert _values(client)["requested_requests_per_s"] == 61.79
    [second] = together(stages, run="2")
    assert _values(second)["requested_requests_per_s"] == 31.4


def test_one_gpu_that_two_exporters_report_is_one(shared_dir: Path) -> None:
    summary = _bench(shared_dir, "aiperf/qwen_concurrency4_profile_export_aiperf.json")
    assert sum(one.name == "power_draw_w" for one in summary.readings) == 1
    samples = _bench(shared_dir, "aiperf/qwen_concurrency4_gpu_telemetry_export.jsonl")
    assert [one.name for one in samples.readings] == [
        "gpu_busy_ratio", "power_draw_w", "power_limit_w", "device_memory_occupancy_ratio"
    ]  # fmt: skip
    assert {one.name for one in samples.series} == {one.name for one in samples.readings}
