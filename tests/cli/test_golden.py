"""What people read in a terminal, kept whole; `make golden` writes it anew."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from knockon.formats.table.width import columns_of
from tests.cli.conftest import Knockon

GOLDEN = Path(__file__).parent / "golden"
QWEN = ("--", "vllm", "serve", "Qwen/Qwen3-235B-A22B", "--tensor-parallel-size")
IDLE = ("--set", "memory_occupancy_ratio=0.95", "--set", "compute_utilization_ratio=0.4")
# What changes with every word in the catalog would hide what changes on the page.
_REVISION = re.compile(r"\b[0-9a-f]{12}\b")

QUESTIONS = {
    "check-worked-example": ("check", *QWEN, "8"),
    "check-worked-example.zh": ("check", "--lang", "zh", *QWEN, "8"),
    "check-dcp-over-range": ("check", *QWEN, "8", "--decode-context-parallel-size", "4"),
    "check-unknown-model": ("check", "--", "vllm", "serve", "nobody/Nothing-1B", "-tp", "8", "--max-modl-len", "4096"),
    "locate-dcp": ("locate", "DCP"),
    "locate-symptom": ("locate", "decode slow, memory tight"),
    "locate-symptom.zh": ("locate", "--lang", "zh", "端到端慢，但每一层都正常"),
    "breaks-tensor-parallelism": ("breaks", "tensor-parallelism", "--depth", "2"),
    "place-fused-collective": (
        "place", "--stage", "inference", "--layer", "L3", "--dimension", "network",
        "--also", "inference/L2/compute", "--mechanism", "overlap-matmul-with-collective",
    ),
    "diagnose-idle-compute": ("diagnose", *IDLE),
    "diagnose-idle-compute.zh": ("diagnose", "--lang", "zh", *IDLE),
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_page_is_as_kept(knockon: Knockon, golden: Callable[[Path, str], None], name: str) -> None:
    done = knockon(*QUESTIONS[name], COLUMNS="100")

    assert done.err == ""
    golden(GOLDEN / f"{name}.txt", _REVISION.sub("<revision>", done.out))


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("columns", ["80", "120"])
def test_page_fits_its_terminal(knockon: Knockon, name: str, columns: str) -> None:
    lines = knockon(*QUESTIONS[name], COLUMNS=columns).out.splitlines()

    # Addresses stay whole, so that they can be followed.
    assert [line for line in lines if columns_of(line) > int(columns) and "://" not in line] == []
