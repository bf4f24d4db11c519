"""What a wrong word may have meant: words of other trades come near to next to nothing, slips to their word."""

import pytest

from knockon.curate.nearest import meant
from knockon.engines.flags import nearest as nearest_flags
from knockon.engines.vllm.table import flag_table
from knockon.terms.likeness import shares_enough
from tests.shipped import shipped

FOREIGN = [
    "banana",
    "moon_phase",
    "weather",
    "colour",
    "humidity",
    "salary",
    "invoice",
    "password",
    "username",
    "latency_budget",
    "region",
    "zone",
    "tenant",
    "kubernetes",
    "replica_color",
    "shoe_size",
    "birthday",
    "pizza",
    "cost_center",
    "carbon_footprint",
    "horoscope",
    "network_speed",
    "disk_free",
    "cpu_cores",
    "ram_total",
    "favourite_model",
    "price",
    "owner",
    "team",
    "email",
    "stock_price",
    "altitude",
    "engine_oil",
    "tyre_pressure",
    "song",
    "genre",
]


@pytest.mark.parametrize("word", FOREIGN)
def test_word_of_another_trade_is_like_nothing_at_any_door(word: str) -> None:
    vocabulary = shipped().rulebook.vocabulary

    assert vocabulary.nearest(word) == ()
    assert nearest_flags(f"--{word.replace('_', '-')}", flag_table().spellings) == ()
    assert meant(word, vocabulary.names) == ""


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("tensor_paralel_size", "tensor_parallel_size"),
        ("temperature", "gpu_temperature_c"),
        ("ttft_p95", "ttft_s_p95"),
        ("num_kv_heads", "num_key_value_heads"),
        ("max_model_length", "max_model_len"),
        ("--gpu-memory-utlization", "--gpu-memory-utilization"),
        ("engine_verison", "engine_version"),
        ("memories", "memory"),
        ("gpu_count_total", "gpu_count"),
        ("显存", "gpu_memory_bytes"),
        ("显存", "显存占用"),
    ],
)
def test_slip_or_most_of_the_words_is_enough(asked: str, known: str) -> None:
    assert shares_enough(asked, known)


@pytest.mark.parametrize(
    ("asked", "known"),
    [("invoice", "device"), ("region", "--revision"), ("engine_oil", "engine"), ("gpu util", "host_cpu_utilization")],
)
def test_some_letters_or_one_word_of_two_is_not(asked: str, known: str) -> None:
    assert not shares_enough(asked, known)
