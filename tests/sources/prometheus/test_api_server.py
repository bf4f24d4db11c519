"""A real Prometheus server, asked about a past that was written into it, and about a target it scrapes."""

import contextlib
import http.server
import threading
import time
from collections.abc import Iterator

import pytest

from knockon.sources.base import Taken
from knockon.sources.prometheus.api.ask import window_of
from knockon.sources.prometheus.api.client import server_at
from knockon.sources.prometheus.api.live import live
from tests.conftest import missing_here
from tests.prometheus_server import PrometheusMissing, prometheus_server
from tests.sources.vocabulary import shipped_vocabulary

# 2024-01-01 12:00:00 UTC, ten minutes before the end of what is stored.
BEGIN = 1_704_110_400
LENGTH = 600
END = BEGIN + LENGTH
EVERY = 15
SCRAPED = 'vllm:num_requests_running{model_name="live"} 7\nvllm:kv_cache_usage_perc{model_name="live"} 0.75\n'


def _past() -> str:
    """Engines that run on, restart, and begin halfway; a GPU that lacks fields; a target that ends."""
    lines: dict[str, list[str]] = {}
    one = 'model_name="m",instance="a:8000",job="vllm"'
    other = 'model_name="m",instance="b:8000",job="vllm"'
    gpu = 'gpu="0",hostname="n1",instance="a:9400",job="dcgm"'
    for age in range(0, LENGTH + 1, EVERY):
        at = BEGIN + age
        samples = {
            f"vllm:generation_tokens_total{{{one}}}": 1_000 + 100 * age,
            # 50 token/s all the time; the count begins again after 300 s.
            f"vllm:generation_tokens_total{{{other}}}": 7_000 + 50 * age if age < 300 else 50 * (age - 300),
            f"vllm:kv_cache_usage_perc{{{one}}}": 0.5 + 0.0005 * age,
            f"vllm:num_requests_waiting{{{one}}}": age // 60,
            f"DCGM_FI_DEV_POWER_USAGE{{{gpu}}}": 9223372036854775794,
            f"DCGM_FI_PROF_SM_ACTIVE{{{gpu}}}": "NaN",
            f"DCGM_FI_DEV_GPU_UTIL{{{gpu}}}": 90,
        }
        if age >= 300:
            late = 'model_name="m",instance="d:8000",job="vllm"'
            samples[f"vllm:generation_tokens_total{{{late}}}"] = 10 * age
        if age < 100:
            samples['tgi_queue_size{instance="c:80",job="tgi"}'] = 3
        for bound, per_s in (("0.1", 1), ("0.2", 9), ("0.4", 10), ("+Inf", 10)):
            samples[f'vllm:time_to_first_token_seconds_bucket{{le="{bound}",{one}}}'] = per_s * age
        samples[f"vllm:time_to_first_token_seconds_count{{{one}}}"] = 10 * age
        for series, value in samples.items():
            lines.setdefault(series.partition("{")[0], []).append(f"{series} {value} {at}\n")
    return "".join(f"# TYPE {name} unknown\n{''.join(held)}" for name, held in lines.items()) + "# EOF\n"


class _Metrics(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(SCRAPED.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    target = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Metrics)
    threading.Thread(target=target.serve_forever, daemon=True).start()
    with contextlib.ExitStack() as stack:
        stack.callback(target.server_close)
        stack.callback(target.shutdown)
        try:
            folder = tmp_path_factory.mktemp("prometheus")
            address = f"127.0.0.1:{target.server_address[1]}"
            yield stack.enter_context(prometheus_server(folder, past=_past(), target=address))
        except PrometheusMissing as error:
            missing_here(str(error))


def _asked(url: str, *, to_s: float = END, length_s: float = LENGTH, **match: str) -> Taken:
    window = window_of(to_s=to_s, length_s=length_s, step_s=60)
    server = server_at(url, headers={}, timeout_s=30)
    return live(server, window, matchers=match, vocabulary=shipped_vocabulary())


def _measured(taken: Taken) -> dict[tuple[str, str], object]:
    return {(one.name, one.replica): one.value for one in taken.readings if one.state == "measured"}


A = "model_name=m, instance=a:8000"
B = "model_name=m, instance=b:8000"
GPU = "hostname=n1, gpu=0, instance=a:9400"


def test_readings_are_of_the_whole_window_and_gauges_of_its_end(prometheus: str) -> None:
    taken = _asked(prometheus)
    assert taken.engine == "vllm"
    assert _measured(taken) == {
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
    taken = _asked(prometheus)
    assert {(one.name, one.replica): one.why for one in taken.readings if one.state != "measured"} == {
        ("sm_active_ratio", GPU): "not a number (NaN)",
        ("power_draw_w", GPU): "DCGM has no value, or the GPU does not support the field",
        ("output_tokens_per_s", "model_name=m, instance=d:8000"): "the series is not in the earlier scrape",
        ("waiting_count", ""): "no sample at the end of the time asked about: the target is down, or was not scraped",
    }


def test_every_number_has_its_series_in_steps(prometheus: str) -> None:
    series = {(one.name, one.replica): one for one in _asked(prometheus).series}
    kv = series["kv_cache_usage_ratio", A]
    assert kv.at_s == tuple(float(BEGIN + 60 * index) for index in range(11))
    assert kv.values == pytest.approx([0.5 + 0.03 * index for index in range(11)])
    rates = series["output_tokens_per_s", A]
    # The first points have no two minutes to look back on: no number rather than one that is too low.
    assert rates.at_s == kv.at_s[2:]
    assert rates.values == pytest.approx([100.0] * 9)
    assert series["waiting_count", A].values == tuple(float(index) for index in range(11))


def test_only_series_with_the_label_are_asked_for(prometheus: str) -> None:
    taken = _asked(prometheus, instance="b:8000")
    assert {one.replica for one in taken.readings} == {B}


def test_a_time_or_label_without_metrics_says_so(prometheus: str) -> None:
    assert [note.en for note in _asked(prometheus, to_s=BEGIN - 86_400).notes] == [
        f"{prometheus} has no metric that is known here in this time"
    ]
    assert [note.en for note in _asked(prometheus, instance="z").notes] == [
        f"{prometheus} has no metric with instance=z that is known here in this time"
    ]


def test_a_scraped_target_is_read_now(prometheus: str) -> None:
    deadline = time.monotonic() + 60
    found: dict[tuple[str, str], object] = {}
    while not found and time.monotonic() < deadline:
        # It is scraped once a second, and one question is forty of the server's.
        time.sleep(0.25)
        found = _measured(_asked(prometheus, to_s=time.time(), length_s=60, model_name="live"))
    [replica] = {name for _, name in found}
    assert replica.startswith("model_name=live, instance=127.0.0.1:")
    assert found == {("running_count", replica): 7.0, ("kv_cache_usage_ratio", replica): 0.75}
