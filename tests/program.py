"""The program run to its end in this process: what one of its own would say, without the half second of its start."""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from knockon.assets import catalog_dir, rules_dir
from knockon.cli.main import run
from knockon.jobs import age, shipped
from knockon.jobs.knowledge import Knowledge
from tests.shipped import shipped as built_once

_read = shipped.shipped_knowledge
_TREES = (catalog_dir(), rules_dir())


def remember_the_shipped_tree(here: pytest.MonkeyPatch) -> None:
    """Let commands of this process read the shipped tree once, as each process does: by far the most of what they cost.

    Any other tree, which a test has made and may change, is read each time.
    """

    def knowledge() -> Knowledge:
        return built_once() if (catalog_dir(), rules_dir()) == _TREES else _read()

    here.setattr(shipped, "shipped_knowledge", knowledge)


def stay_on_one_day(here: pytest.MonkeyPatch, day: str = "2026-11-29") -> None:
    """Let commands of this process take `day` for today, so that nothing gets stale while nobody looks."""
    here.setattr(age, "today", lambda: day)


def said_by(arguments: Sequence[str], *, environment: Mapping[str, str], folder: Path) -> tuple[int, str]:
    """Run `knockon` with these arguments in a folder; its exit code, and what both its streams said in their order."""
    told = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as here:
        for name in set(os.environ) - set(environment):
            here.delenv(name)
        for name, value in environment.items():
            here.setenv(name, value)
        here.chdir(folder)
        remember_the_shipped_tree(here)
        stay_on_one_day(here)
        here.setattr(sys, "argv", ["knockon", *arguments])
        here.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        here.setattr(sys, "stdout", told)
        here.setattr(sys, "stderr", told)
        with pytest.raises(SystemExit) as ended:
            run()
    told.flush()
    return int(ended.value.code or 0), told.buffer.getvalue().decode()  # type: ignore[attr-defined]
