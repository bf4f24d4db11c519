"""Several texts in one question."""

from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.sources.together import together
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
