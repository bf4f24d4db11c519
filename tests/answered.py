"""The handed command lines that vLLM itself answered, read and checked once for all tests that judge the answers."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from knockon.engines import read_command
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked
from knockon.terms.argument import arguments_of
from knockon.terms.errors import KnockonError
from tests.shipped import shipped


@dataclass(frozen=True, slots=True)
class Answered:
    """One command line, what vLLM said of it and what `check` says."""

    handed: Mapping[str, Any]
    """The line of the file: `id`, `args`, `engine_version`, `gpu`, `model`, `model_config`, `answer`."""
    answer: CheckAnswer | None
    """None when the command cannot even be read."""

    @property
    def id(self) -> str:
        return str(self.handed["id"])

    @property
    def was_accepted(self) -> bool:
        return bool(self.handed["answer"]["status"] == "accepted")


def answered_by_vllm(shared_dir: Path) -> tuple[Answered, ...]:
    """Every handed command with both answers; skips where the file is absent."""
    path = shared_dir / "cases" / "engine_answers.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"vLLM's answers are not among the handed cases: {path}")
    return _answered(path)


@cache
def _answered(path: Path) -> tuple[Answered, ...]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return tuple(_asked(json.loads(line)) for line in lines)


def _asked(handed: Mapping[str, Any]) -> Answered:
    gpu = handed["gpu"]
    capability = ".".join(map(str, gpu["compute_capability"]))
    try:
        configured = read_command(arguments_of(["vllm", "serve", *handed["args"]]), version=handed["engine_version"])
        asked = Asked(
            configured=configured,
            model_config=handed["model_config"],
            gpu_count=gpu["count"],
            sets=[
                f"gpu_name={gpu['name']}",
                f"gpu_memory_bytes={gpu['memory_gib']}GiB",
                f"gpu_compute_capability={capability}",
            ],
        )
        return Answered(handed, check(shipped(), asked, compares_releases=False))
    except KnockonError:
        return Answered(handed, None)
