"""A real Prometheus server is asked about a past that was written into it."""

import pytest

from tests.sources.prometheus.asking import BEGIN, asked, measured

A = "model_name=m, instance=a:8000"
B = "model_name=m, instance=b:8000"
GPU = "hostname=n1, gpu=0, instance=a:9400"


def test_readings_are_of_the_whole_window_and_gauges_of_its_end(prometheus: str) -> None:
    taken = asked(prometheus)
    assert taken.engine == "vllm"
    assert measured(taken) == {
        ("kv_cache_usage_ratio", A): pytest.approx(0.8),
        ("waiting_count", A): 10.0,
        ("output_tokens_per_s", A): pytest.approx(100.0),
        # The restart is taken out: what was counted before and after it, without what one scrape missed of it.
        ("output_tokens_per_s", B): pytest.approx(50.0, rel=0.03),
        ("ttft_s_p50", A): pytest.approx(0.15),
        ("ttft_s_p95", A): pytest.approx(0.3),
        ("ttft_s_p99", A): pytest.approx(0.38),
        ("restart_between_samples", A): False,
        ("restart_between_samples", B): True,
        ("restart_between_samples", "model_name=m, instance=d:8000"): False,
        ("gpu_busy_ratio", GPU): 0.9,
    }
    assert taken.notes == ()


def test_what_is_no_number_is_missing_with_its_reason(prometheus: str) -> None:
    taken = asked(prometheus)
    assert {(one.name, one.replica): one.why for one in taken.readings if one.state != "measured"} == {
        ("sm_active_ratio", GPU): "not a number (NaN)",
        ("power_draw_w", GPU): "DCGM has no value, or the GPU does not support the field",
        ("output_tokens_per_s", "model_name=m, instance=d:8000"): "the series is not in the earlier scrape",
        ("waiting_count", ""): "no sample at the end of the time asked about: the target is down, or was not scraped",
    }


def test_every_number_has_its_series_in_steps(prometheus: str) -> None:
    series = {(one.name, one.replica): one for one in asked(prometheus).series}
    kv = series["kv_cache_usage_ratio", A]
    assert kv.at_s == tuple(float(BEGIN + 60 * index) for index in range(11))
    assert kv.values == pytest.approx([0.5 + 0.03 * index for index in range(11)])
    rates = series["output_tokens_per_s", A]
    # The first points have no two minutes to look back on: no number rather than one that is too low.
    assert rates.at_s == kv.at_s[2:]
    assert rates.values == pytest.approx([100.0] * 9)
    assert series["waiting_count", A].values == tuple(float(index) for index in range(11))


def test_only_series_with_the_label_are_asked_for(prometheus: str) -> None:
    taken = asked(prometheus, instance="b:8000")
    assert {one.replica for one in taken.readings} == {B}


def test_a_time_or_label_without_metrics_says_so(prometheus: str) -> None:
    assert [note.en for note in asked(prometheus, to_s=BEGIN - 86_400).notes] == [
        f"{prometheus} has no metric that is known here in this time"
    ]
    assert [note.en for note in asked(prometheus, instance="z").notes] == [
        f"{prometheus} has no metric with instance=z that is known here in this time"
    ]
