"""The command line run inside the test's process: fast, and with nothing of the person who runs the tests."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from knockon.cli.main import run
from tests.program import remember_the_shipped_tree, stay_on_one_day


@dataclass(frozen=True, slots=True)
class Done:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str


Knockon = Callable[..., Done]


@pytest.fixture
def knockon(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, cache_dir: Path
) -> Knockon:
    """Give `knockon(*arguments, stdin="", **environment)`, run in a folder of its own."""
    for name in ("KNOCKON_LANG", "KNOCKON_DEBUG", "KNOCKON_DATABASE_URL", "LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KNOCKON_CACHE_DIR", str(cache_dir))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    remember_the_shipped_tree(monkeypatch)
    stay_on_one_day(monkeypatch)

    def knockon_(*arguments: str, stdin: str | bytes | io.TextIOWrapper | None = "", **environment: str) -> Done:
        if isinstance(stdin, (str, bytes)):
            raw = stdin if isinstance(stdin, bytes) else stdin.encode()
            stdin = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8")
        with monkeypatch.context() as here:
            here.setattr(sys, "argv", ["knockon", *arguments])
            here.setattr(sys, "stdin", stdin)
            for name, value in environment.items():
                here.setenv(name, value)
            capsys.readouterr()
            with pytest.raises(SystemExit) as ended:
                run()
        said = capsys.readouterr()
        return Done(int(ended.value.code or 0), said.out, said.err)

    return knockon_
