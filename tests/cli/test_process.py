"""The program as a process of its own: what it imports, what it costs, how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

QWEN = ("check", "--", "vllm", "serve", "Qwen/Qwen3-235B-A22B", "--tensor-parallel-size", "8")
HEAVY = ("strawberry", "graphql", "sqlalchemy", "alembic", "polars", "networkx", "fastapi", "starlette", "pydantic",
         "rich", "z3", "yaml", "importlib.metadata", "knockon.sources", "knockon.curate.document")  # fmt: skip


def environment(cache_dir: Path) -> dict[str, str]:
    ours = ("KNOCKON_", "LC_", "LANG")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    # As installed, the program is compiled already, whatever this checkout's Python is told.
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(cache_dir / "compiled")}
    return {**kept, **compiled, "KNOCKON_CACHE_DIR": str(cache_dir), "PYTHONWARNINGS": "error"}


def program(*arguments: str, cache_dir: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "knockon", *arguments]
    return subprocess.run(
        command, env=environment(cache_dir), capture_output=True, text=True, encoding="utf-8", check=False, timeout=60
    )


def heavy_after(code: str, cache_dir: Path) -> list[str]:
    listed = f"{code}\nimport sys, json; print(json.dumps(sorted(n for n in {HEAVY!r} if n in sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", listed],
        env=environment(cache_dir),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    loaded: list[str] = json.loads(done.stdout.splitlines()[-1])
    return loaded


def test_importing_the_program_loads_nothing_heavy(cache_dir: Path) -> None:
    assert heavy_after("import knockon.cli.main", cache_dir) == []


def test_a_second_check_loads_nothing_heavy(cache_dir: Path) -> None:
    program(*QWEN, cache_dir=cache_dir)
    checked = (
        f"import sys, io; sys.argv = ['knockon', *{QWEN!r}]; out, sys.stdout = sys.stdout, io.StringIO()\n"
        "from knockon.cli.main import run\n"
        "try: run()\nexcept SystemExit: pass\nsys.stdout = out"
    )

    assert heavy_after(checked, cache_dir) == []


def test_version_is_printed_last(cache_dir: Path) -> None:
    from knockon.version import version

    done = program("--version", cache_dir=cache_dir)

    assert (done.returncode, done.stdout.split()[-1], done.stderr) == (0, version(), "")


def test_reader_that_has_enough_ends_the_program_quietly(cache_dir: Path) -> None:
    command = [sys.executable, "-m", "knockon", "catalog", "export"]
    with subprocess.Popen(
        command, env=environment(cache_dir), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None  # noqa: PT018  both are asked for
        process.stdout.read(100)
        process.stdout.close()
        said = process.stderr.read()

    assert (process.returncode, said) == (0, b"")


def test_defect_of_ours_ends_with_three_and_how_to_report_it(cache_dir: Path) -> None:
    broken = (
        "import sys, knockon.jobs.shipped as shipped\n"
        "def fail(): raise ZeroDivisionError('a defect')\n"
        "shipped.shipped_knowledge = fail\n"
        "from knockon.cli.main import run\n"
        "sys.argv = ['knockon', *sys.argv[1:]]\nrun()"
    )

    def ended(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", broken, *arguments]
        return subprocess.run(command, env=environment(cache_dir), capture_output=True, text=True, check=False)

    plain, debugged = ended(*QWEN), ended("--debug", *QWEN)

    assert (plain.returncode, debugged.returncode) == (3, 3)
    assert plain.stderr.startswith("internal error: ZeroDivisionError: a defect\nThis is a defect of Knock-on ")
    assert "Traceback" not in plain.stderr
    assert "Traceback" in debugged.stderr


def test_argument_that_is_no_text_still_gives_json(cache_dir: Path) -> None:
    command = [sys.executable, "-m", "knockon", "check", "--format", "json", "--", "vllm", "serve", b"a\xff"]
    done = subprocess.run(command, env=environment(cache_dir), capture_output=True, check=False, timeout=60)

    assert done.returncode == 0
    assert json.loads(done.stdout.decode("utf-8"))["verdict"] == "unknown"


def test_cache_file_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    first = program("rules", "show", "K001", cache_dir=tmp_path)
    kept = [file for file in tmp_path.iterdir() if file.is_file()]
    for file in kept:
        file.unlink()
        os.mkfifo(file)
    second = program("rules", "show", "K001", cache_dir=tmp_path)

    assert kept
    assert (second.returncode, second.stdout, second.stderr) == (0, first.stdout, "")


def test_cache_folder_that_is_a_device_is_no_folder(cache_dir: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "knockon", "rules", "show", "K001"],
        env={**environment(cache_dir), "KNOCKON_CACHE_DIR": os.devnull},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_cache_folder_that_everybody_may_write_to_is_told_and_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)

    done = program("rules", "show", "K001", cache_dir=tmp_path)

    assert done.returncode == 0
    assert done.stderr.startswith(f"note: the cache folder {tmp_path} is not used: everybody may write to it;")
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == []
