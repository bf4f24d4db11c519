"""A symptom that several walls give is no verdict while nothing is known that tells them apart."""

from knockon.expr.names import names_in
from knockon.rules.hierarchy import INSUFFICIENT, SPEAK_MIN
from tests.rules.test_hierarchy import judged
from tests.shipped import shipped

OTHERS = "other walls give the same symptom, and nothing is known that tells them apart"


def test_a_wait_under_an_unknown_load_is_a_suspicion_and_asks_for_the_load() -> None:
    thin = judged(queue_time_share_ratio=0.9, e2e_slow=True)
    told = judged(queue_time_share_ratio=0.9, e2e_slow=True, concurrency_count=64)

    assert (thin.verdict, told.verdict) == (INSUFFICIENT, "queueing")
    assert thin.hypotheses[0].rule.id == "D220"
    assert thin.hypotheses[0].confidence < SPEAK_MIN <= told.hypotheses[0].confidence
    assert [doubt.en for doubt in thin.hypotheses[0].doubts] == [OTHERS]
    assert told.hypotheses[0].doubts == ()
    assert "concurrency_count" in [lack.name for lack in thin.missing[:8]]


def test_two_rules_on_one_symptom_do_not_agree_to_a_verdict() -> None:
    diagnosis = judged(queue_time_share_ratio=0.9, queue_time_s_p95=160.0)

    assert {one.rule.id for one in diagnosis.hypotheses} == {"D220", "D310"}
    assert all(one.confidence < SPEAK_MIN for one in diagnosis.hypotheses)
    assert diagnosis.verdict == INSUFFICIENT


def test_a_fact_tells_apart_as_a_reading_does() -> None:
    launches = {"kernel_launches_per_step": 5000.0}

    assert judged(**launches).verdict == INSUFFICIENT
    assert judged(facts={"enforce_eager": True}, **launches).verdict == "host"


def test_the_share_of_the_optimizer_alone_does_not_say_where_it_runs() -> None:
    share = {"optimizer_step_share_ratio": 0.9, "optimizer_step_s": 38.0}

    assert judged(**share).verdict == INSUFFICIENT
    assert judged(**share, optimizer_offloaded=True).verdict == "host"


def test_a_setting_that_helps_names_no_wall_of_a_run_of_which_nothing_else_is_known() -> None:
    assert judged(setting_gain_factor=2.0).verdict == INSUFFICIENT
    assert judged(setting_gain_factor=2.0, concurrency_count=1).verdict == "config"


def test_what_tells_apart_is_not_the_symptom_itself() -> None:
    both = [
        (rule.id, name)
        for rule in shipped().rulebook.diagnose
        for name in rule.told_apart_by
        if name in names_in(rule.when)
    ]

    assert both == []


def test_a_full_thread_alone_does_not_say_that_the_device_waits_for_it() -> None:
    assert judged(frontend_busy_ratio=1.0).verdict == INSUFFICIENT
    assert judged(frontend_busy_ratio=1.0, gpu_busy_ratio=0.4).verdict == "host"


def test_a_setting_that_differs_costs_nothing_by_itself() -> None:
    assert judged(effective_setting_differs=True).verdict == INSUFFICIENT
    assert judged(effective_setting_differs=True, throughput_below_expectation=True).verdict == "config"


def test_cores_that_compute_what_does_not_fit_are_memory() -> None:
    busy = {"host_cpu_utilization_ratio": 1.0, "gpu_busy_ratio": 0.0, "device_headroom_seen": True}

    assert judged(**busy).verdict == "host"
    assert judged(**busy, host_layers_share_ratio=0.97).verdict == "memory"


def test_a_queue_of_a_few_requests_is_open() -> None:
    wait = {"queue_time_share_ratio": 0.99}

    assert judged(**wait, concurrency_count=2, waiting_count=1).verdict == INSUFFICIENT
    assert judged(**wait, concurrency_count=64).verdict == "queueing"


def test_a_gain_of_ready_data_is_open_where_neither_workers_nor_cores_help() -> None:
    gain = {"data_gain_factor": 2.0}

    assert judged(**gain).verdict == "io"
    assert judged(**gain, loader_workers_gain_factor=1.0, host_cpu_utilization_ratio=0.05).verdict == INSUFFICIENT
    assert judged(**gain, loader_workers_gain_factor=1.0, host_cpu_utilization_ratio=0.9).verdict == "io"


def test_links_at_their_usual_share_are_no_fault_of_theirs_because_somebody_hoped_for_more() -> None:
    share = {"collective_bus_share_ratio": 0.78, "fast_link_present": True}

    assert judged(**share, throughput_below_expectation=True).verdict == "healthy"
    assert judged(**share, e2e_slow=True).verdict == INSUFFICIENT


def test_lower_precision_that_makes_room_on_an_idle_device_is_memory() -> None:
    gain = {"compute_gain_factor": 7.5}

    assert judged(**gain).verdict == "compute"
    assert judged(**gain, low_busy_reported=True).verdict != "compute"
    assert judged(**gain, low_busy_reported=True, memory_occupancy_ratio=0.97).verdict == "memory"


def test_faster_memory_of_a_device_that_is_hardly_used_is_not_what_helped() -> None:
    gain = {"bandwidth_gain_factor": 1.4}

    assert judged(**gain).verdict == "bandwidth"
    assert judged(**gain, gpu_busy_ratio=0.2).verdict != "bandwidth"


def test_layers_on_the_host_beside_an_empty_device_are_a_setting() -> None:
    layers = {"host_layers_share_ratio": 0.8}

    assert judged(**layers).verdict == "memory"
    assert judged(**layers, device_memory_occupancy_ratio=0.08).verdict == "config"
    assert judged(**layers, device_memory_occupancy_ratio=0.08, memory_demand_factor=1.5).verdict != "config"


def test_threads_that_were_asked_for_are_no_quota_while_nothing_is_put_on_the_device() -> None:
    threads = {"threads_over_quota_factor": 54.0, "throughput_below_expectation": True}

    assert judged(**threads).verdict == "host"
    assert judged(**threads, device_layers_unset=True).verdict == "config"


def test_short_samples_that_take_as_long_are_padded_though_another_engine_is_faster() -> None:
    blind = {"engine_gain_factor": 10.0, "batch_gain_factor": 2.1}

    assert judged(**blind, time_follows_calls_seen=True).verdict == "host"
    assert judged(**blind, time_blind_to_length_seen=True).verdict == "workload"


def test_copies_on_one_cpu_share_its_memory_first_where_cores_are_idle() -> None:
    copies = {"neighbour_slowdown_factor": 2.5, "host_cpu_utilization_ratio": 0.4}

    assert judged(facts={"runs_on_cpu": True}, **copies).verdict == "bandwidth"
    assert judged(facts={"runs_on_cpu": False}, **copies).verdict != "bandwidth"
