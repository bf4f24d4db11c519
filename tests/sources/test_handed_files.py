"""Every handed file of metrics and GPUs is read, or refused in so many words; numbers are looked up by hand."""

from pathlib import Path

import pytest

from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.terms.errors import IntakeError
from tests.sources.vocabulary import shipped_vocabulary

# Lists of the fields an exporter is told to export: names and types, no values.
LISTS_OF_FIELDS = {"dcgm_default_counters.csv", "dcgm_dcp_metrics_included.csv"}
# Sentinels only, and links only: both are read, and say so in a note.
WITHOUT_READINGS = ("dcgm_exporter_readme_blank_sentinel", "nvidia_smi_topo_")


def _read(path: Path) -> Taken:
    text = path.read_text(encoding="utf-8")
    return read_source(text, filename=path.name, vocabulary=shipped_vocabulary())


def _gpu(shared: Path, name: str) -> Taken:
    return _read(shared / "fixtures" / "gpu" / name)


def test_every_handed_file_is_read(shared_dir: Path) -> None:
    folders = [shared_dir / "fixtures" / name for name in ("serving", "gpu")]
    kinds = (".prom", ".csv", ".txt")
    paths = [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in kinds]
    assert len(paths) == 38
    for path in paths:
        if path.name in LISTS_OF_FIELDS:
            with pytest.raises(IntakeError, match="of no kind that can be read"):
                _read(path)
            continue
        taken = _read(path)
        assert taken.readings or (path.name.startswith(WITHOUT_READINGS) and taken.notes), path.name
        assert {one.state for one in taken.readings} <= {"measured", "missing"}, path.name


@pytest.mark.parametrize(
    ("name", "busy", "power"),
    [
        ("nvidia-h100-80gb-hbm3_load", 1.0, 636),
        ("nvidia-geforce-rtx-2080-super_load", 0.08, 98),
        ("nvidia-h200_idle", 0.0, 77),
        ("nvidia-l40s_load", 0.1, 108),
    ],
)
def test_dmon_gives_duty_cycle_and_power(shared_dir: Path, name: str, busy: float, power: int) -> None:
    taken = _gpu(shared_dir, f"nvidia_smi_dmon_{name}.txt")
    assert {(one.name, one.replica): one.value for one in taken.readings} == {
        ("gpu_busy_ratio", "gpu=0"): busy,
        ("power_draw_w", "gpu=0"): power,
    }


def test_a_monitor_of_a_run_is_a_series(shared_dir: Path) -> None:
    taken = _gpu(shared_dir, "gpu_monitor_2x3090_llm_load.csv")
    series = {(one.name, one.replica): one for one in taken.series}
    power = series["power_draw_w", "gpu=0"]
    assert (len(power.values), power.values[0], power.values[-1]) == (172, 28.86, 28.4)
    assert (power.at_s[0], power.at_s[-1]) == (1777906480.048, 1777906659.471)
    assert series["device_memory_occupancy_ratio", "gpu=0"].values[1] == 1700 / 24576
    assert {name for name, _ in series} == {
        "gpu_busy_ratio", "power_draw_w", "power_limit_w", "device_memory_occupancy_ratio"
    }  # fmt: skip
    assert {fact.name: fact.value for fact in taken.facts} == {"gpu_memory_bytes": 24576 * 2**20}


def test_topology_of_one_gpu_has_no_links(shared_dir: Path) -> None:
    name = "nvidia_smi_topo_nvidia-h200.txt"
    assert [note.en for note in _gpu(shared_dir, name).notes] == [f"{name} is the topology of one GPU: it has no links"]
