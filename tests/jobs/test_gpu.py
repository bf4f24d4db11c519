"""GPUs as people write them."""

import pytest

from knockon.jobs.gpu import CountedGpu, counted_gpu, gpu_facts
from knockon.terms.errors import NotFound
from tests.shipped import shipped


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("8x H20 96GB", "H20 96GB", 8),
        ("2 x RTX 4090", "RTX 4090", 2),
        ("4×A10", "A10", 4),
        ("H20 x8", "H20", 8),
        ("H100*4", "H100", 4),
        ("H100-80GB", "H100-80GB", None),
        ("RTX 4090", "RTX 4090", None),
        ("MI355X", "MI355X", None),
        ("MI300X 8", "MI300X 8", None),
        ("0x H20", "0x H20", None),
        ("8 H100", "H100", 8),
        ("4x4090", "4090", 4),
        ("3090 Ti", "3090 Ti", None),
        ("one H100", "H100", 1),
        ("dual RTX 3090", "RTX 3090", 2),
        ("2 nodes × 8 H20", "H20", 16),
        ("2 nodes of 8x H100", "H100", 16),
        ("2 × (8× H100)", "H100", 16),
        ("2x8 H100", "H100", 16),
        ("8卡 H20", "H20", 8),
        ("8 GPUs", "", 8),
    ],
)
def test_a_count_stands_before_or_after_the_name(text: str, name: str, count: int | None) -> None:
    assert counted_gpu(text) == CountedGpu(name, count)


def test_a_size_of_memory_beside_the_name_may_stand_for_the_memory() -> None:
    facts, note = gpu_facts(shipped().catalog, "8x RTX 4090 24GB")

    assert facts["gpu_compute_capability"].value == "8.9"
    assert note is None


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        ("16x H20 96GB (2 nodes)", "NVIDIA H20 96 GB"),
        ("4x L40S (48GB)", "NVIDIA L40S"),
        ("GB200 NVL72", "NVIDIA GB200 (one GPU)"),
    ],
)
def test_a_remark_or_a_rack_beside_the_name_changes_no_chip(text: str, chip: str) -> None:
    assert gpu_facts(shipped().catalog, text)[0]["gpu_name"].value == chip


@pytest.mark.parametrize("text", ["H100 or H200", "8x H100/H200", "Hopper GPU", "H100, H200"])
def test_of_several_chips_only_what_they_share_is_known(text: str) -> None:
    facts, note = gpu_facts(shipped().catalog, text)

    assert facts["gpu_compute_capability"].value == "9.0"
    assert "gpu_memory_bytes" not in facts
    assert note is not None


def test_one_of_several_chips_that_is_not_known_leaves_the_gpu_unknown() -> None:
    with pytest.raises(NotFound):
        gpu_facts(shipped().catalog, "H100 or TPU v6e")


def test_a_number_of_unnamed_gpus_says_nothing_of_the_chip() -> None:
    assert gpu_facts(shipped().catalog, "8 GPUs") == ({}, None)


def test_a_size_the_gpu_has_not_is_another_gpu() -> None:
    with pytest.raises(NotFound):
        gpu_facts(shipped().catalog, "RTX 4090 12GB")


def test_of_a_name_that_fits_several_only_what_they_share_is_known() -> None:
    facts, note = gpu_facts(shipped().catalog, "4x V100")

    assert facts["gpu_compute_capability"].value == "7.0"
    assert "gpu_memory_bytes" not in facts
    assert note is not None
    assert "v100-16gb, v100-32gb" in note.en
