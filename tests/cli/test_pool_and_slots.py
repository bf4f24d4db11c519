"""All batch slots are taken and the KV pool is nearly full: one answer, that of the pool's threshold."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Knockon

SCRAPE = "vllm:num_requests_running 48\nvllm:num_requests_waiting 37\nvllm:kv_cache_usage_perc {usage}\n"
LAUNCH = "command: vllm serve meta-llama/Llama-3.1-70B-Instruct -tp 8 --max-num-seqs 48\n"


@pytest.mark.parametrize(
    ("usage", "verdict"),
    [("0.62", "queueing"), ("0.9", "queueing"), ("0.91", "memory"), ("0.97", "memory"), ("0.98", "memory")],
)
def test_the_pool_has_room_up_to_its_threshold_and_no_further(knockon: Knockon, usage: str, verdict: str) -> None:
    Path("launch.yaml").write_text(LAUNCH)
    Path("scrape.prom").write_text(SCRAPE.format(usage=usage))
    done = knockon("diagnose", "--deployment", "launch.yaml", "scrape.prom", "--format", "json")

    answer = json.loads(done.out)
    sure = {one["rule"] for one in answer["hypotheses"] if one["confidence"] >= 0.4}
    assert (done.code, answer["verdict"], answer["between"]) == (0, verdict, [])
    assert sure == ({"D404"} if verdict == "memory" else {"D218", "D309", "D466"})
