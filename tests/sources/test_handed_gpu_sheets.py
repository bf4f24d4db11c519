"""The handed outputs of nvidia-smi."""

from pathlib import Path

import pytest

from knockon.sources import read_source
from knockon.sources.base import Taken
from tests.sources.vocabulary import shipped_vocabulary


def _read(shared: Path, name: str) -> Taken:
    text = (shared / "fixtures" / "gpu" / name).read_text(encoding="utf-8")
    return read_source(text, filename=name, vocabulary=shipped_vocabulary())


@pytest.mark.parametrize(
    ("gpu", "busy", "used", "total", "power", "limit", "name"),
    [
        ("nvidia-h100-80gb-hbm3_load", 1.0, 19818, 81559, 631.95, 700.0, "NVIDIA H100 80GB HBM3"),
        ("nvidia-geforce-rtx-2080-super_load", 0.08, 819, 8192, 111.5, 250.0, "NVIDIA GeForce RTX 2080 SUPER"),
    ],
)
def test_output_under_load_is_read(
    shared_dir: Path, gpu: str, busy: float, used: int, total: int, power: float, limit: float, name: str
) -> None:
    taken = _read(shared_dir, f"nvidia_smi_query_{gpu}.csv")
    assert {reading.name: reading.value for reading in taken.readings} == pytest.approx(
        {
            "gpu_busy_ratio": busy,
            "power_draw_w": power,
            "power_limit_w": limit,
            "device_memory_occupancy_ratio": used / total,
            "clock_throttle_active": False,
        }
    )
    assert {reading.replica for reading in taken.readings} == {"gpu=0"}
    facts = {fact.name: fact.value for fact in taken.facts}
    assert (facts["gpu_name"], facts["gpu_memory_bytes"]) == (name, total * 2**20)


def test_two_gpus_without_memory_total_have_no_share(shared_dir: Path) -> None:
    taken = _read(shared_dir, "nvidia_smi_query_2gpu.csv")
    assert [(reading.replica, reading.state, reading.why, reading.raw) for reading in taken.readings] == [
        ("gpu=0", "missing", "memory.total is not among the fields", "575 MiB"),
        ("gpu=1", "missing", "memory.total is not among the fields", "1234 MiB"),
    ]
    assert taken.facts == ()


def test_every_handed_output_is_read(shared_dir: Path) -> None:
    paths = sorted((shared_dir / "fixtures" / "gpu").glob("nvidia_smi_query_*.csv"))
    assert len(paths) == 9
    for path in paths:
        taken = _read(shared_dir, path.name)
        assert {reading.state for reading in taken.readings} <= {"measured", "missing"}, path.name
