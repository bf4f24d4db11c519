"""The edges of the program: streams that are closed or full, Ctrl-C, terminals without colours, times, shares."""

import errno
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from knockon.cli.output import Output, mention
from tests.cli.conftest import Knockon
from tests.cli.terminal import on_terminal
from tests.cli.test_process import QWEN, environment
from tests.curate.trees import DIAGNOSE, TREE, changed, written

FULL = Path("/dev/full")
KNOCKON = f"{sys.executable} -m knockon"
WRONG = "check --gpu nope -- vllm serve x"


class Unreadable(io.RawIOBase):
    """A stream that is open for writing only."""

    def readable(self) -> bool:
        return True

    def read(self, _size: int | None = -1) -> bytes:
        raise OSError(errno.EBADF, "Bad file descriptor")


def shell(line: str, cache_dir: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", "-c", line]
    return subprocess.run(
        command, env={**environment(cache_dir), **more}, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("wait", ["nan", "inf", "-1", "1e300"])
def test_wait_that_is_no_time(knockon: Knockon, wait: str) -> None:
    done = knockon("catalog", "load", "--wait", wait)

    assert (done.code, done.out) == (2, "")
    assert "seconds from 0 to 86400" in " ".join(done.err.replace("│", " ").split())


@pytest.mark.parametrize("elapsed", ["nan", "inf", "-3", "0"])
def test_elapsed_that_is_no_time_between_two_scrapes(knockon: Knockon, tmp_path: Path, elapsed: str) -> None:
    scrape = tmp_path / "scrape.prom"
    scrape.write_text("vllm:num_requests_running 3\n")
    done = knockon("diagnose", str(scrape), "--before", str(scrape), "--elapsed", elapsed)

    assert (done.code, done.out) == (2, "")
    assert "seconds above 0" in done.err


def test_elapsed_without_an_earlier_scrape(knockon: Knockon) -> None:
    done = knockon("diagnose", "--set", "memory_occupancy_ratio=0.9", "--elapsed", "3")

    assert (done.code, done.out) == (2, "")
    assert "there is no --before" in done.err


def test_home_that_is_no_folder(knockon: Knockon) -> None:
    done = knockon("catalog", "load", HOME="/dev/null", XDG_DATA_HOME="")

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: the folder /dev/null/.local/share/knockon cannot be made: Not a directory; "
        "name a database with --database-url\n"
    )


@pytest.mark.parametrize("verb", ["catalog list gpus", "--help", "--version"])
def test_closed_output_is_told(cache_dir: Path, verb: str) -> None:
    done = shell(f"{KNOCKON} {verb} >&-", cache_dir)

    assert (done.returncode, done.stderr) == (2, "error: standard output cannot be written: it is closed\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("verb", ["rules list", "schema", "--help"])
def test_full_disk_is_told(cache_dir: Path, verb: str, unbuffered: str) -> None:
    done = shell(f"{KNOCKON} {verb} >{FULL}", cache_dir, PYTHONUNBUFFERED=unbuffered)

    assert (done.returncode, done.stderr) == (2, "error: standard output cannot be written: No space left on device\n")


def test_complaint_that_nobody_can_read_never_lands_in_the_answer(cache_dir: Path) -> None:
    done = shell(f"{KNOCKON} {WRONG} 2>&-", cache_dir)

    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    "arguments",
    [
        "diagnose -",
        "diagnose scrape.prom --before -",
        "check -",
        "check --waivers - -- vllm serve x",
        "check --baseline - -- vllm serve x",
        "advise -",
        "compare - -",
        "profile calibrate -",
    ],
)
@pytest.mark.parametrize("closed", [None, io.TextIOWrapper(Unreadable())])
def test_input_that_is_closed_is_wrong_use(knockon: Knockon, arguments: str, closed: io.TextIOWrapper | None) -> None:
    Path("scrape.prom").write_text("vllm:num_requests_running 3\n")
    done = knockon(*arguments.split(), stdin=closed)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("<stdin>:1:1: cannot be read: ")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("schema", 0),
        ("--version", 0),
        ("--help", 0),
        ("check --help", 0),
        ("catalog export", 0),
        (f"{WRONG} 2>&1", 2),
        ("check --nope 2>&1", 2),
    ],
)
def test_reader_that_leaves_does_not_change_the_exit_code(cache_dir: Path, line: str, code: int) -> None:
    done = subprocess.run(
        ["/bin/bash", "-c", f"{KNOCKON} {line} | true; exit ${{PIPESTATUS[0]}}"],
        env=environment(cache_dir), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (code, "")


def test_what_nothing_depends_on_is_lost_with_one_note(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = Output(None)
    monkeypatch.setattr(sys, "stdout", output)
    mention("up")
    mention("and running")
    assert output.end() is None
    output.close()

    assert capsys.readouterr().err == "note: standard output cannot be written: it is closed; all else goes on\n"


def test_verb_that_writes_nothing_needs_no_output(cache_dir: Path) -> None:
    done = shell(f"{KNOCKON} {WRONG} >&-", cache_dir)

    assert done.returncode == 2
    assert done.stderr.startswith("error: no gpu is called 'nope'; ")


@pytest.mark.parametrize(
    "module",
    ["knockon.cli", "knockon.cli.main", "knockon.cli.app", "typer", "knockon.cli.verbs.check", "knockon.jobs.shipped"],
)
def test_interrupt_while_modules_load_ends_quietly(cache_dir: Path, module: str) -> None:
    # Only what every Python has loaded already: what the program would load itself is not loaded for it.
    code = (
        "import _signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: _signal.raise_signal(_signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        f"sys.argv = ['knockon', *{QWEN!r}]\n"
        "from knockon.__main__ import program\n"
        "program()"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment(cache_dir), capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_program_begins_with_nothing_that_python_has_not_loaded(cache_dir: Path) -> None:
    # Whatever is loaded from a file before Ctrl-C is obeyed is a time in which it ends with a trace.
    code = "import sys; before = set(sys.modules)\nimport knockon.__main__\nprint(*sorted(set(sys.modules) - before))\n"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment(cache_dir), capture_output=True, text=True, check=False, timeout=60)

    assert done.stdout.split() == ["gc", "knockon", "knockon.__main__", "knockon.cli", "knockon.cli.main"]


@pytest.mark.parametrize("line", [["nope"], ["check", "--nope"], ["--help"]])
def test_terminal_without_colours_gets_no_escape_codes(cache_dir: Path, line: list[str]) -> None:
    colours = {"TERM": "xterm-256color"}

    assert "\x1b" in shown(line, cache_dir, colours)
    assert "\x1b" not in shown(line, cache_dir, colours | {"NO_COLOR": "1"})
    assert "\x1b" not in shown(line, cache_dir, {"TERM": "dumb"})


def shown(line: list[str], cache_dir: Path, more: dict[str, str]) -> str:
    around = {name: value for name, value in environment(cache_dir).items() if name not in ("NO_COLOR", "TERM")}
    return on_terminal(line, around={**around, **more})[1]


def test_share_in_percent_is_the_same_share(knockon: Knockon) -> None:
    percent = knockon("diagnose", "--set", "memory_occupancy_ratio=95%", "--format", "json")
    plain = knockon("diagnose", "--set", "memory_occupancy_ratio=0.95", "--format", "json")

    assert (percent.code, percent.err) == (0, "")
    assert percent.out.replace("95%", "0.95") == plain.out


@pytest.mark.parametrize("share", ["195%", "%", "x%", "-1%", "9%5%"])
def test_share_in_percent_that_cannot_be(knockon: Knockon, share: str) -> None:
    done = knockon("diagnose", "--set", f"memory_occupancy_ratio={share}")

    assert done.code == 2
    assert done.err.startswith(f"error: memory_occupancy_ratio cannot be '{share}'; expected a number from 0 to 1; ")


@pytest.mark.parametrize(
    ("arguments", "listed"),
    [
        (["breaks", "nope"], "; `knockon catalog list techniques` lists every technique"),
        (["check", "--gpu", "H999", "--", "vllm", "serve", "x"], "; `knockon catalog list gpus` lists them: "),
        (
            ["check", "--model", "nope/x", "--", "vllm", "serve", "x"],
            " known models; any other is known by its config.json",
        ),
    ],
)
def test_unknown_name_ends_with_how_to_see_the_known_ones(knockon: Knockon, arguments: list[str], listed: str) -> None:
    done = knockon(*arguments)

    assert done.code == 2
    assert listed in done.err


def test_rules_are_analysed_with_witnesses(knockon: Knockon) -> None:
    second = TREE[DIAGNOSE].replace("id: D001", "id: D002").replace("wall: memory", "wall: cache")
    catalog, rules = written(Path("tree"), {"rules/diagnose/D002-cache.yaml": second})
    trees = ("--catalog", str(catalog), "--rules", str(rules))
    done, page = knockon("rules", "analyse", *trees, "--format", "json"), knockon("rules", "analyse", *trees)

    answer = json.loads(done.out)
    [pair] = answer["overlaps"]
    assert (done.code, page.code, answer["dead"], answer["constant"]) == (0, 0, [], [])
    assert (pair["first"], pair["second"]) == ("D001", "D002")
    assert 0.9 < pair["witness"]["cache_ratio"] <= 1
    assert page.out.startswith("✓ sound — each of 3 rules can fire and can be silent, and none is shadowed\n")


def test_rule_that_never_fires_ends_with_one(knockon: Knockon) -> None:
    never = changed(DIAGNOSE, "when: cache_ratio > threshold.cache_high", "when: cache_ratio > 1")
    catalog, rules = written(Path("tree"), never)
    done = knockon("rules", "analyse", "--catalog", str(catalog), "--rules", str(rules), "--format", "json")

    assert (done.code, json.loads(done.out)["dead"]) == (1, ["D001"])


@pytest.mark.parametrize(
    ("who", "lang", "said"),
    [
        ("owner", "en", "it belongs to another user; name one of your own with KNOCKON_CACHE_DIR"),
        ("owner", "zh", "它属于其他用户；请用 KNOCKON_CACHE_DIR 指定自己的目录"),
        ("group", "en", "may write to it; take that away (chmod go-w), or name one of your own with KNOCKON_CACHE_DIR"),
        ("others", "zh", "任何人可写；请收回该权限（chmod go-w），或用 KNOCKON_CACHE_DIR 指定自己的目录"),
    ],
)  # fmt: skip
def test_note_on_a_cache_folder_advises_what_this_user_can_do(
    knockon: Knockon, monkeypatch: pytest.MonkeyPatch, who: str, lang: str, said: str
) -> None:
    monkeypatch.setattr("knockon.kept.untrusted_folder", lambda _: (Path("/cache"), who))

    assert knockon("schema", KNOCKON_LANG=lang).err.strip().endswith(said)
