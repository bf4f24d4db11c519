"""A real Prometheus server with a past that was written into it, and with a target that it scrapes."""

import contextlib
import http.server
import threading
from collections.abc import Iterator

import pytest

from tests.conftest import missing_here
from tests.prometheus_server import PrometheusMissing, prometheus_server
from tests.sources.prometheus.asking import BEGIN, LENGTH

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


@pytest.fixture(scope="session")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of the server; its first scrape comes five seconds after its start."""
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
