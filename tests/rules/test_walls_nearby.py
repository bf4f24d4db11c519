"""Where another wall stands near, the reading that tells the two apart moves the verdict."""

from knockon.rules.hierarchy import INSUFFICIENT
from tests.rules.test_hierarchy import judged


def test_decode_under_a_deep_power_cap_follows_the_clock() -> None:
    capped = {"clock_throttle_active": True, "memory_clock_held": True, "decode_dominates": True}

    assert judged(**capped).verdict == "bandwidth"
    assert judged(**capped, power_limit_share_ratio=0.75).verdict == "bandwidth"
    assert judged(**capped, power_limit_share_ratio=0.5).verdict == "power"
    assert judged(**capped, power_limit_share_ratio=0.5, decode_flat_over_clock=True).verdict != "power"


def test_a_queue_before_prefill_alone_is_no_cap_on_slots() -> None:
    queue = {"throughput_flat_over_load": True, "waiting_count": 143.0, "kv_cache_usage_ratio": 0.2}

    assert judged(**queue).verdict == "queueing"
    prefill = judged(**queue, prompt_tokens_per_s=37800.0, output_tokens_per_s=46.0)
    told = judged(**queue, prompt_tokens_per_s=37800.0, output_tokens_per_s=46.0, device_flops_per_byte=1500.0)

    assert prefill.verdict == INSUFFICIENT
    assert told.verdict == "compute"


def test_storage_that_gives_far_more_than_is_read_is_not_waited_for() -> None:
    far = {"data_on_slow_storage": True, "throughput_below_expectation": True}

    assert judged(**far).verdict == "io"
    assert judged(**far, storage_read_share_ratio=0.17).verdict == INSUFFICIENT
    assert judged(**far, throughput_fall_factor=0.2).verdict == "io"
    assert judged(**far, throughput_fall_factor=0.2, storage_swap_gain_factor=1.0).verdict == INSUFFICIENT


def test_requests_that_all_wait_as_long_stand_in_no_queue() -> None:
    at_once = {"finished_request_count": 10.0, "concurrency_count": 10.0, "ttft_s_p50": 38.5}

    assert judged(**at_once).verdict == "measurement"
    assert judged(**at_once, ttft_offset_constant=True, answers_held_to_grammar_seen=True).verdict == "host"


def test_a_loader_that_is_fast_alone_is_not_what_is_short() -> None:
    wait = {"data_wait_s": 30.0}

    assert judged(**wait).verdict == "io"
    assert judged(**wait, loader_alone_factor=60.0).verdict == "config"
    assert judged(**wait, loader_alone_factor=1.1).verdict == "io"


def test_handles_that_run_out_are_no_fault_of_the_link() -> None:
    errors = {"communication_error_seen": True}

    assert judged(**errors).verdict == "interconnect"
    assert judged(**errors, handles_exhausted_seen=True).verdict == "config"


def test_one_full_thread_beside_one_stream_needs_gaps_of_the_device() -> None:
    thread = {"frontend_busy_ratio": 1.0, "concurrency_count": 1.0}

    assert judged(**thread, gpu_busy_ratio=0.8).verdict == "host"
    assert judged(**thread, gpu_busy_ratio=0.98).verdict == INSUFFICIENT


def test_a_release_whose_collectives_test_slower_lost_the_path_and_no_kernel() -> None:
    release = {"release_gain_factor": 2.3}

    assert judged(**release).verdict != "interconnect"
    assert judged(**release, collective_slower_seen=True).verdict == "interconnect"
