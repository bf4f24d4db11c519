"""Several texts in one question."""

import pytest

from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.sources.together import together
from knockon.terms.errors import NotFound
from tests.sources.vocabulary import shipped_vocabulary


def _read(text: str, filename: str) -> Taken:
    return read_source(text, filename=filename, vocabulary=shipped_vocabulary())


ENGINE = (
    'vllm:num_requests_waiting{model_name="m",engine="0"} 3\nvllm:kv_cache_usage_perc{model_name="m",engine="0"} 0.5\n'
)
DCGM = 'DCGM_FI_DEV_GPU_UTIL{gpu="0"} 90\n'
NODE = 'node_cpu_seconds_total{cpu="0",mode="idle"} 5\n'


def _named(parts: list[Taken]) -> list[tuple[str, str, object]]:
    return [(reading.name, reading.replica, reading.value) for part in parts for reading in part.readings]


def test_engine_gpus_and_node_are_one_list_with_their_own_replicas() -> None:
    parts = together([_read(ENGINE, "engine.prom"), _read(DCGM, "dcgm.prom"), _read(NODE, "node.prom")])
    assert _named(parts) == [
        ("kv_cache_usage_ratio", "model_name=m, engine=0", 0.5),
        ("waiting_count", "model_name=m, engine=0", 3.0),
        ("gpu_busy_ratio", "gpu=0", 0.9),
        ("host_cpu_utilization_ratio", "", None),
    ]


def test_replicas_of_two_targets_that_are_called_the_same_carry_their_file() -> None:
    parts = together([_read(ENGINE, "a.prom"), _read(ENGINE.replace(" 3", " 4"), "b.prom"), _read(DCGM, "g.prom")])
    assert _named(parts) == [
        ("kv_cache_usage_ratio", "a.prom: model_name=m, engine=0", 0.5),
        ("waiting_count", "a.prom: model_name=m, engine=0", 3.0),
        ("kv_cache_usage_ratio", "b.prom: model_name=m, engine=0", 0.5),
        ("waiting_count", "b.prom: model_name=m, engine=0", 4.0),
        ("gpu_busy_ratio", "gpu=0", 0.9),
    ]


def test_what_two_kinds_of_text_measure_of_one_system_counts_once() -> None:
    smi = "index, utilization.gpu [%], power.draw [W]\n0, 88 %, 300 W\n"
    parts = together([_read(smi, "smi.csv"), _read(DCGM, "dcgm.prom")])
    assert _named(parts) == [("power_draw_w", "gpu=0", 300), ("gpu_busy_ratio", "gpu=0", 0.9)]
    assert [note.en for note in parts[0].notes] == [
        "gpu_busy_ratio of smi.csv are left out: metrics given with it say the same of the same system"
    ]


def test_a_lesser_text_counts_where_the_better_one_has_no_value() -> None:
    smi = "index, utilization.gpu [%]\n0, 88 %\n"
    parts = together([_read(smi, "smi.csv"), _read('DCGM_FI_DEV_GPU_UTIL{gpu="1"} NaN\n', "dcgm.prom")])
    assert _named(parts) == [("gpu_busy_ratio", "gpu=0", 0.88), ("gpu_busy_ratio", "gpu=1", None)]


BENCH = (
    '{"request_rate": 5.0, "max_concurrency": %s, "completed": 400, "total_input_tokens": 400000, "duration": 100.0,'
    ' "total_output_tokens": 40000, "request_throughput": %s, "output_throughput": 400.0,'
    ' "total_token_throughput": 4400.0, "median_ttft_ms": %s}'
)
SERVER = (
    "".join(
        f'vllm:time_to_first_token_seconds_bucket{{model_name="m",le="{bound}"}} {count}\n'
        for bound, count in (("0.1", 0), ("0.25", 10), ("0.5", 10), ("+Inf", 10))
    )
    + 'vllm:time_to_first_token_seconds_count{model_name="m"} 10\nvllm:num_requests_waiting{model_name="m"} 3\n'
)


def _all(parts: list[Taken]) -> dict[str, object]:
    return {reading.name: reading.value for part in parts for reading in part.readings}


def test_what_clients_measured_counts_and_what_only_the_engine_sees_is_kept() -> None:
    parts = together([_read(SERVER, "engine.prom"), _read(BENCH % ("null", 4.0, 1750.0), "bench.json")])
    values = _all(parts)
    assert (values["ttft_s_p50"], values["waiting_count"], values["requests_per_s"]) == (1.75, 3.0, 4.0)
    # A median of 0.175 s in the engine of 1.75 s that clients saw.
    assert values["ttft_outside_engine_ratio"] == 0.9
    assert "client_server_factor" not in values
    assert parts[0].notes[-1].en == (
        "ttft_s_p50 of engine.prom are left out: metrics given with it say the same of the same system"
    )


def test_an_engine_slower_than_its_clients_saw_it_is_a_disagreement() -> None:
    values = _all(together([_read(BENCH % ("null", 4.0, 35.0), "bench.json"), _read(SERVER, "engine.prom")]))
    assert values["client_server_factor"] == pytest.approx(5.0)
    assert "ttft_outside_engine_ratio" not in values


def test_several_results_are_one_sweep_not_a_sum() -> None:
    files = [("a.json", 4, 4.0), ("b.json", 8, 4.6), ("c.json", 16, 4.7)]
    [whole] = together([_read(BENCH % (cap, rate, 50.0), name) for name, cap, rate in files])
    assert [run.name for run in whole.runs] == ["a.json: rate 5", "b.json: rate 5", "c.json: rate 5"]
    assert _all([whole])["requests_per_s"] == 4.7
    [first] = together([_read(BENCH % (cap, rate, 50.0), name) for name, cap, rate in files], run="a.json: rate 5")
    assert _all([first])["requests_per_s"] == 4.0


def test_a_run_is_asked_for_where_there_is_none() -> None:
    with pytest.raises(NotFound, match="only results of load generators have runs"):
        together([_read(SERVER, "engine.prom")], run="1")


@pytest.mark.parametrize(
    ("asked", "served", "said", "apart"),
    [
        ("org/model-8b", "Model-8B", "", False),
        ("org/model-8b", "prod", "are taken for the same", False),
        ("org/model-8b", "org/model-70b", "are not put together", True),
    ],
)
def test_a_client_and_an_engine_of_two_models_are_kept_apart(asked: str, served: str, said: str, apart: bool) -> None:
    client = _read(BENCH.replace("{", f'{{"model_id": "{asked}", ', 1) % ("null", 4.0, 1750.0), "bench.json")
    parts = together([_read(SERVER.replace('"m"', f'"{served}"'), "engine.prom"), client])

    notes = " ".join(note.en for part in parts for note in part.notes)
    assert said in notes if said else "given with it are of" not in notes
    models = {one.model for part in parts for one in part.readings if one.name == "ttft_s_p50"}
    # Apart each has its own; together the clients' counts, and it is of no model in particular.
    assert models == ({asked, served} if apart else {""})
    assert ("ttft_outside_engine_ratio" in _all(parts)) != apart
