"""Handed results of load generators: where the measurement is at fault, that is the verdict."""

from pathlib import Path

import pytest

from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from knockon.sources import read_source
from knockon.sources.together import together
from tests.shipped import shipped


def _answer(folder: Path, *names: str, run: str | None = None) -> DiagnoseAnswer:
    vocabulary = shipped().rulebook.vocabulary
    taken = [
        read_source((folder / name).read_text(encoding="utf-8"), filename=name, vocabulary=vocabulary) for name in names
    ]
    return diagnose(shipped(), together(taken, run=run))


def _rules(answer: DiagnoseAnswer) -> set[str]:
    return {one.rule.id for one in answer.diagnosis.hypotheses}


@pytest.fixture
def bench(shared_dir: Path) -> Path:
    return shared_dir / "fixtures" / "bench"


@pytest.mark.parametrize("stage", [4, 5, 6])
def test_a_load_generator_that_is_late_is_told(bench: Path, stage: int) -> None:
    answer = _answer(bench, f"inference-perf/vllm_stage{stage}_lifecycle.json")
    assert answer.diagnosis.verdict == "measurement"
    assert {"D117", "D113"} <= _rules(answer)
    assert {"ttft_s_p50", "ttft_s_p95", "ttft_s_p99"} <= {one.name for one in answer.intake.invalid}


def test_a_rate_that_is_kept_is_not_late(bench: Path) -> None:
    answer = _answer(bench, "inference-perf/vllm_stage3_lifecycle.json")
    # Its time per token is half of what latency and length say: that stays.
    assert _rules(answer) == {"D113"}
    assert not answer.intake.invalid


def test_the_servers_zeros_are_told_beside_the_client(bench: Path) -> None:
    stage = "inference-perf/vllm_stage3"
    answer = _answer(bench, f"{stage}_lifecycle.json", f"{stage}_prometheus.json")
    assert answer.diagnosis.verdict == "measurement"
    assert "D116" in _rules(answer)
    assert "kv_cache_usage_ratio" not in answer.intake.observed


def test_all_requests_at_once_measure_a_queue(bench: Path) -> None:
    answer = _answer(bench, "vllm_bench_serve_text/vllm-project__GLM_GLM5_0.txt")
    assert answer.diagnosis.verdict == "measurement"
    assert answer.diagnosis.hypotheses[0].rule.id == "D172"


def test_a_throughput_of_failures_is_told(bench: Path) -> None:
    answer = _answer(bench, "llmperf_bedrock_70b.json")
    assert (answer.diagnosis.verdict, "D014" in _rules(answer)) == ("measurement", True)


def test_a_sound_sweep_stays_open_and_says_what_to_measure(bench: Path) -> None:
    names = [f"inferencex/glm5_fp8_vllm_tp8_isl1024_osl128_conc{count}.json" for count in (4, 8, 16, 32, 48, 64)]
    answer = _answer(bench, *names)
    assert answer.diagnosis.verdict == "insufficient_data"
    assert _rules(answer) == {"D149"}
    assert "compute_utilization_ratio" in {one.name for one in answer.diagnosis.missing}
    # Forty requests are enough for a throughput, and too few for a 99th percentile.
    assert _rules(_answer(bench, *names, run="concurrency 4")) == {"D149", "D170"}
