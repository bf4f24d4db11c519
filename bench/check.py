"""`knockon check` as CI runs it: a thousand manifests in one run, conflicts with their way out, one command line."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "manifests" / "corpus"
MANY, FEW = 1_000, 100
RUNS = 10
LAUNCHES = 200
COMMAND = ("vllm", "serve", "Qwen/Qwen3-235B-A22B", "--tensor-parallel-size", "8")
GOAL_FILES_PER_S, GOAL_COMMAND_S, GOAL_WAY_OUT_S = 200, 0.5, 0.010
# Each conflicts for a reason of its own; sizes and lengths make every launch another one.
_CONFLICTS = (
    "vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 8 --decode-context-parallel-size 4 --max-model-len {n}",
    "vllm serve Qwen/Qwen3-8B --tensor-parallel-size 3 --max-model-len {n}",
    "vllm serve Qwen/Qwen3-8B --max-num-batched-tokens 512 --no-enable-chunked-prefill --max-model-len {n}",
    "vllm serve deepseek-ai/DeepSeek-V3 -tp 8 --enable-lora --max-loras 40 --max-cpu-loras 4 --max-model-len {n}",
)

_SIZE = re.compile(r"(tensor[-_]parallel[-_]size[= ]+)(\d+)")
_READ_ONLY = """
import sys, pathlib, yaml
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*")):
    if path.suffix in (".yaml", ".yml"):
        for _ in yaml.load_all(path.read_bytes(), Loader=yaml.CSafeLoader):
            pass
    elif path.is_file():
        path.read_bytes()
"""


@dataclass(frozen=True)
class Spent:
    """What one process took: CPU in user and system together, and the most memory it held."""

    cpu_s: float
    memory_bytes: int


def check(*, rounds: int, seconds: float) -> None:
    """Print both figures; `rounds` and `seconds` are those of the service and mean nothing here."""
    del rounds, seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**os.environ, "KNOCKON_CACHE_DIR": str(folder / "cache")}
        few, many = (written(folder / str(count), count) for count in (FEW, MANY))
        ours = [sys.executable, "-m", "knockon", "check", "--fail-on", "never"]
        # The first run fills the cache, and is nobody's everyday.
        spent([*ours, "--", *COMMAND], environment)
        print(f"\ncheck: {MANY:,} files of manifests in one run, best and median of {RUNS}")
        manifests(few, many, ours, environment)
        print(f"\ncheck: {LAUNCHES} conflicting launches in one file, best and median of {RUNS}")
        ways_out(folder, ours, environment)
        print(f"\ncheck: one command line, the whole process, best and median of {RUNS}")
        command(ours, environment)


def manifests(few: Path, many: Path, ours: Sequence[str], environment: dict[str, str]) -> None:
    small = [spent([*ours, str(few)], environment) for _ in range(RUNS)]
    runs, reads = [], []
    for _ in range(RUNS):
        runs.append(spent([*ours, str(many)], environment))
        reads.append(spent([sys.executable, "-c", _READ_ONLY, str(many)], environment))
    best, middle = best_and_median(runs)
    read, _ = best_and_median(reads)
    print(f"  files per second of CPU  {MANY / best:8.0f}   {MANY / middle:8.0f}   (goal {GOAL_FILES_PER_S} or more)")
    print(f"  CPU                      {best:8.2f} s {middle:8.2f} s   {best / read:.1f} × only reading the YAML")
    peaks = [max(one.memory_bytes for one in group) / 2**20 for group in (small, runs)]
    print(f"  peak memory              {peaks[1]:8.1f} MiB, {peaks[1] / peaks[0]:.2f} × that of {FEW} files")


def ways_out(folder: Path, ours: Sequence[str], environment: dict[str, str]) -> None:
    """What a conflict costs: told in JSON, where every way out is searched, and as SARIF, where none is told."""
    conflicting, passing = (folder / f"{name}.sh" for name in ("conflicting", "passing"))
    numbers = range(1_024, 1_024 + LAUNCHES)
    conflicting.write_text("".join(_CONFLICTS[n % len(_CONFLICTS)].format(n=n) + "\n" for n in numbers))
    passing.write_text("".join(f"vllm serve Qwen/Qwen3-8B --max-model-len {n}\n" for n in numbers))
    for form in ("json", "sarif"):
        runs = {
            file: [spent([*ours, "--format", form, str(file)], environment) for _ in range(RUNS)]
            for file in (conflicting, passing)
        }
        (best, middle), (plain, _) = (best_and_median(each) for each in runs.values())
        figures = f"{best / LAUNCHES * 1e3:8.1f} ms {middle / LAUNCHES * 1e3:8.1f} ms"
        more = f"{(best - plain) / LAUNCHES * 1e3:.1f} ms more than one that passes"
        print(f"  CPU of a launch, {form:5}    {figures}   {more} (goal {GOAL_WAY_OUT_S * 1e3:.0f} or less)")


def command(ours: Sequence[str], environment: dict[str, str]) -> None:
    runs, bare = [], []
    for _ in range(RUNS):
        runs.append(spent([*ours, "--", *COMMAND], environment))
        bare.append(spent([sys.executable, "-m", "knockon", "--version"], environment))
    best, middle = best_and_median(runs)
    start, _ = best_and_median(bare)
    ratio = f"{best / start:.1f} × `knockon --version`"
    print(f"  CPU  {best:.3f} s  {middle:.3f} s   (goal {GOAL_COMMAND_S} or less)   {ratio}")


def written(folder: Path, count: int) -> Path:
    """A folder with `count` files: the corpus over and over, each time with other sizes of tensor parallelism."""
    cases = [case for case in sorted(CORPUS.glob("*/*")) if case.parent.name != "broken"]
    left = count
    for number, size in enumerate(cycle((1, 2, 4, 8, 16))):
        for case in cases:
            for file in sorted(file for file in case.rglob("*") if file.is_file() and file.name != "expected.yaml"):
                target = folder / f"{number:03}" / case.parent.name / file.relative_to(case.parent)
                target.parent.mkdir(parents=True, exist_ok=True)
                text = file.read_bytes().decode("utf-8", "surrogateescape")
                target.write_bytes(_SIZE.sub(rf"\g<1>{size}", text).encode("utf-8", "surrogateescape"))
                left -= 1
                if not left:
                    return folder
    raise AssertionError("the cycle has no end")


def spent(command: Sequence[str], environment: dict[str, str]) -> Spent:
    """Run a command to its end; what it says is thrown away."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    # Linux counts in KiB, macOS in bytes.
    scale = 1 if sys.platform == "darwin" else 1024
    return Spent(used.ru_utime + used.ru_stime, used.ru_maxrss * scale)


def best_and_median(runs: Sequence[Spent]) -> tuple[float, float]:
    """Seconds of CPU."""
    return min(one.cpu_s for one in runs), statistics.median(one.cpu_s for one in runs)
