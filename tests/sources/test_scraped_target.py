"""A target that a real Prometheus server scrapes is read now."""

import time

from tests.sources.prometheus.asking import asked, measured


def test_a_scraped_target_is_read_now(prometheus: str) -> None:
    deadline = time.monotonic() + 60
    found: dict[tuple[str, str], object] = {}
    while not found and time.monotonic() < deadline:
        # It is scraped once a second, and one question is forty of the server's.
        time.sleep(0.25)
        found = measured(asked(prometheus, to_s=time.time(), length_s=60, model_name="live"))
    [replica] = {name for _, name in found}
    assert replica.startswith("model_name=live, instance=127.0.0.1:")
    assert found == {("running_count", replica): 7.0, ("kv_cache_usage_ratio", replica): 0.75}
