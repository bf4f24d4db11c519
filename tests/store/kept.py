"""Makers of runs, and of databases to keep them in."""

import hashlib
import tempfile
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from knockon.rules.hypothesis import Observation
from knockon.store.run import KeptHypothesis, KeptLack, KeptRun
from knockon.store.store import open_store
from knockon.terms.reading import Reading
from knockon.terms.words import RuleId, Text, WallId

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def at(hour: float) -> datetime:
    """A time some hours after noon."""
    return NOON + timedelta(hours=hour)


def run(target: str = "prod", *, hour: float = 0, **more: Any) -> KeptRun:
    """A run of a target some hours after noon; everything that a run may have is in it."""
    said: dict[str, Any] = {
        "id": hashlib.sha256(f"{target} {hour}".encode()).hexdigest(),
        "target": target,
        "taken_at": at(hour),
        "kept_at": at(hour) + timedelta(seconds=5),
        "revision": None,
        "digest": "d" * 64,
        "profile": "default",
        "verdict": "memory",
        "finest": WallId("memory"),
        "between": (WallId("kernel"), WallId("compute")),
        "hypotheses": (hypothesis("D003", "memory", 0.8), hypothesis("D001", "kernel", 0.25)),
        "missing": (KeptLack("sm_active_ratio", "resource", (RuleId("D001"),), (WallId("compute"),)),),
        "readings": (
            Reading("memory_occupancy_ratio", 0.97, "a.prom:3", replica="0", at_s=1e9, model="m", quality="reported"),
            Reading("preemptions_per_s", 2, "given"),
            Reading("clock_throttle_active", False, "given"),
            Reading("ttft_s_p95", None, "a.prom:9", state="invalid", why="not a number (NaN)", raw="NaN"),
        ),
        "settings": {"tensor_parallel_size": 8, "kv_cache_dtype": "fp8", "enforce_eager": True},
    }
    return KeptRun(**said | more)


def hypothesis(rule: str, wall: str, confidence: float) -> KeptHypothesis:
    """A hypothesis on two readings, one of which was not measured."""
    seen = (Observation("memory_occupancy_ratio", 0.97, "a.prom:3"), Observation("sm_active_ratio", None, ""))
    return KeptHypothesis(RuleId(rule), WallId(wall), confidence, Text(f"{wall} is full", f"{wall} 已满"), seen)


def migrated(folder: Path) -> str:
    """The URL of a migrated SQLite database without a row, copied into the folder: migrating takes longer."""
    (folder / "knockon.db").write_bytes(_migrated())
    return f"sqlite:///{folder}/knockon.db"


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        with open_store(f"sqlite:///{folder}/knockon.db") as store:
            store.migrate()
        return Path(folder, "knockon.db").read_bytes()
