"""The handed scrapes of real exporters, and exactly what must be read of each."""

from pathlib import Path

import pytest

from knockon.sources import read_source
from knockon.sources.base import Taken
from tests.sources.vocabulary import shipped_vocabulary

LLAMA = "model_name=neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8"
SGLANG = "model_name=meta-llama/Llama-3.1-8B-Instruct"
ONE_SCRAPE = "one scrape only: a rate needs two"


def _read(shared: Path, path: str) -> Taken:
    text = (shared / "fixtures" / path).read_text(encoding="utf-8")
    return read_source(text, filename=path, vocabulary=shipped_vocabulary())


def _measured(taken: Taken) -> dict[tuple[str, str], object]:
    return {(reading.name, reading.replica): reading.value for reading in taken.readings if reading.state == "measured"}


def _unmeasured(taken: Taken) -> dict[tuple[str, str], tuple[str, str]]:
    return {
        (reading.name, reading.replica): (reading.state, reading.why)
        for reading in taken.readings
        if reading.state != "measured"
    }


def _facts(taken: Taken) -> dict[str, object]:
    return {fact.name: fact.value for fact in taken.facts}


def test_vllm_of_2024_is_read_by_its_former_names(shared_dir: Path) -> None:
    taken = _read(shared_dir, "serving/vllm_metrics_v0.5_llama3.1_8b_fp8.prom")
    assert taken.engine == "vllm"
    assert _measured(taken) == pytest.approx(
        {
            ("kv_cache_usage_ratio", LLAMA): 0.0026235242675994863,
            ("waiting_count", LLAMA): 2.0,
            ("waiting_count", "model_name=other/OTHER"): 3.0,
            ("running_count", LLAMA): 3.0,
            ("output_tokens_per_s", LLAMA): 34.30352890481867,
            ("prompt_tokens_per_s", LLAMA): 1.294472788861082,
            ("success_ratio", LLAMA): 1.0,
            # 9 observations: 1 up to 0.04 s, 6 up to 0.06 s, all up to 0.08 s.
            ("ttft_s_p50", LLAMA): 0.04 + 0.02 * (4.5 - 1) / 5,
            ("ttft_s_p95", LLAMA): 0.06 + 0.02 * (8.55 - 6) / 3,
            ("ttft_s_p99", LLAMA): 0.06 + 0.02 * (8.91 - 6) / 3,
            # 2537 observations, 2519 of them between 0.025 s and 0.05 s.
            ("itl_s_p50", LLAMA): 0.025 + 0.025 * 0.50 * 2537 / 2519,
            ("itl_s_p95", LLAMA): 0.025 + 0.025 * 0.95 * 2537 / 2519,
            ("itl_s_p99", LLAMA): 0.025 + 0.025 * 0.99 * 2537 / 2519,
            # 6 observations, all between 15 s and 20 s.
            ("e2e_s_p50", LLAMA): 17.5,
            ("e2e_s_p95", LLAMA): 19.75,
            ("e2e_s_p99", LLAMA): 19.95,
            ("prompt_tokens_p50", LLAMA): 7.5,
            ("prompt_tokens_p95", LLAMA): 9.75,
            ("output_tokens_p50", LLAMA): 350.0,
        }
    )
    assert _unmeasured(taken) == {
        ("preemptions_per_s", LLAMA): ("missing", ONE_SCRAPE),
        ("requests_per_s", LLAMA): ("missing", ONE_SCRAPE),
    }
    assert _facts(taken) == {
        "kv_block_size_tokens": 16,
        "kv_block_count": 4574,
        "gpu_memory_utilization_ratio": 0.9,
        "kv_cache_dtype": "auto",
        "enable_prefix_caching": False,
    }
    assert taken.notes[0].en == (
        "2 models report in one scrape (neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8, other/OTHER): "
        "each stays a replica of its own"
    )
    assert len(taken.notes) == 2


def test_sglang_says_over_thirty_seconds_rather_than_a_number(shared_dir: Path) -> None:
    taken = _read(shared_dir, "serving/sglang_metrics_docs_llama3.1_8b.prom")
    measured, unmeasured = _measured(taken), _unmeasured(taken)
    assert taken.engine == "sglang"
    assert measured == pytest.approx(
        {
            ("kv_cache_usage_ratio", SGLANG): 0.28,
            ("waiting_count", SGLANG): 2826.0,
            ("running_count", SGLANG): 162.0,
            ("output_tokens_per_s", SGLANG): 86.50814177726902,
            ("prefix_cache_hit_ratio", SGLANG): 0.007507552643049313,
            ("itl_s_p50", SGLANG): 0.0930823731364498,
            ("itl_s_p95", SGLANG): 0.1497914109915567,
            ("itl_s_p99", SGLANG): 0.6322764945899642,
        }
    )
    ttft = ("missing", "> 30 s: 77% of the observations lie beyond the last bucket")
    e2e = ("missing", "> 60 s: 87% of the observations lie beyond the last bucket")
    assert unmeasured == {
        ("prompt_tokens_per_s", SGLANG): ("missing", ONE_SCRAPE),
        **{(f"ttft_s_p{share}", SGLANG): ttft for share in (50, 95, 99)},
        **{(f"e2e_s_p{share}", SGLANG): e2e for share in (50, 95, 99)},
    }


def test_truncated_histograms_give_no_quantile(shared_dir: Path) -> None:
    taken = _read(shared_dir, "serving/triton_vllm_backend_readme_truncated.prom")
    assert taken.engine == "vllm"
    assert _measured(taken) == {}
    cut_off = ("missing", "the histogram is cut off: 1 finite bucket(s), at least 3 expected")
    quantiles = [f"{kind}_s_p{share}" for kind in ("ttft", "itl", "e2e") for share in (50, 95, 99)]
    quantiles += ["prompt_tokens_p50", "prompt_tokens_p95", "output_tokens_p50"]
    rates = ["output_tokens_per_s", "prompt_tokens_per_s"]
    assert _unmeasured(taken) == {
        **{(name, "model=vllm_model"): cut_off for name in quantiles},
        **{(name, "model=vllm_model"): ("missing", ONE_SCRAPE) for name in rates},
    }


def test_triton_with_tensorrt_llm_is_read(shared_dir: Path) -> None:
    taken = _read(shared_dir, "serving/triton_trtllm_metrics_readme.prom")
    assert taken.engine == "trtllm"
    assert _measured(taken) == {
        ("kv_cache_usage_ratio", "model=tensorrt_llm, version=1"): 0.4875,
        ("waiting_count", "model=tensorrt_llm, version=1"): 1.0,
        ("running_count", "model=tensorrt_llm, version=1"): 0.0,
    }
    assert _unmeasured(taken) == {}
    assert _facts(taken) == {"kv_block_size_tokens": 64}


def test_summary_in_microseconds_becomes_seconds(shared_dir: Path) -> None:
    taken = _read(shared_dir, "serving/triton_queue_summary_docs.prom")
    replica = "model=my_model, version=1"
    assert _measured(taken) == pytest.approx({("queue_time_s_p95", replica): 98e-6})
    assert _unmeasured(taken) == {
        ("requests_per_s", replica): ("missing", ONE_SCRAPE),
        ("success_ratio", replica): ("missing", "nv_inference_request_failure is not in the scrape"),
    }


def test_dcgm_percent_becomes_a_ratio_and_half_the_memory_no_share(shared_dir: Path) -> None:
    taken = _read(shared_dir, "gpu/dcgm_netdata_metrics_valid.prom")
    assert _measured(taken) == {
        ("gpu_busy_ratio", "Hostname=host1, gpu=0"): 0.8,
        ("gpu_busy_ratio", "gpu=0, GPU_I_ID=2"): 0.6,
    }
    assert _unmeasured(taken) == {
        ("device_memory_occupancy_ratio", "Hostname=host1, gpu=0"): (
            "missing",
            "DCGM_FI_DEV_FB_FREE is not in the scrape",
        )
    }
    assert taken.engine is None


def test_dcgm_sentinel_never_becomes_a_reading(shared_dir: Path) -> None:
    path = "gpu/dcgm_exporter_readme_blank_sentinel.prom"
    taken = _read(shared_dir, path)
    assert taken.readings == ()
    assert [note.en for note in taken.notes] == [
        (
            "dcgm-exporter is known, but none of its 3 samples "
            "(DCGM_FI_DEV_SM_CLOCK, DCGM_FI_DEV_MEM_CLOCK, DCGM_FI_DEV_MEMORY_TEMP …) is a reading"
        )
    ]
    # The same sentinel under a field that is a reading.
    text = (shared_dir / "fixtures" / path).read_text(encoding="utf-8").replace("MEMORY_TEMP", "POWER_USAGE")
    renamed = read_source(text, filename="f", vocabulary=shipped_vocabulary())
    assert [(reading.name, reading.state, reading.raw) for reading in renamed.readings] == [
        ("power_draw_w", "missing", "9223372036854775794")
    ]


@pytest.mark.parametrize(
    ("gpu", "busy", "occupied", "power", "memory"),
    [
        ("h100-80gb-hbm3_idle", 0.0, 0.0, 69.85, 85520809984),
        ("h100-80gb-hbm3_load", 1.0, 20780679168 / 85520809984, 631.95, 85520809984),
        ("h100-mig_load", None, 11665408000 / 85520809984, 433.78, 85520809984),
        ("h200_load", 1.0, 33934016512 / 150754820096, 627.4, 150754820096),
    ],
)
def test_gpu_exporter_gives_duty_cycle_memory_and_power(
    shared_dir: Path, gpu: str, busy: float | None, occupied: float, power: float, memory: int
) -> None:
    taken = _read(shared_dir, f"gpu/nvidia_gpu_exporter_nvidia-{gpu}.prom")
    replica = "uuid=00000000-0000-0000-0000-000000000000"
    expected = {
        ("device_memory_occupancy_ratio", replica): occupied,
        ("power_draw_w", replica): power,
        ("power_limit_w", replica): 700.0,
        ("clock_throttle_active", replica): False,
    }
    if busy is not None:
        expected[("gpu_busy_ratio", replica)] = busy
    assert _measured(taken) == pytest.approx(expected)
    assert _unmeasured(taken) == {}
    assert _facts(taken)["gpu_memory_bytes"] == memory
    assert _facts(taken)["gpu_compute_capability"] == "9.0"


def test_every_handed_scrape_is_read(shared_dir: Path) -> None:
    paths = sorted((shared_dir / "fixtures").glob("*/*.prom"))
    assert len(paths) == 14
    for path in paths:
        taken = _read(shared_dir, f"{path.parent.name}/{path.name}")
        assert all(reading.state != "invalid" for reading in taken.readings), path.name
