"""Console examples of a page: its commands, run in order in one folder, and what they must say.

In the expected text a line that is only `…` stands for any lines, and `…` inside a line for any characters.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.docs.documents import blocks
from tests.program import said_by

_END = "\x1e"


@dataclass(frozen=True)
class Example:
    """One command and the lines that follow it on the page."""

    command: str
    expected: str


def examples(block: str) -> list[Example]:
    """The commands of one block, each with its expected text."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert parts[0] == "", "a block begins with a command"
    return [Example(*part.partition("\n")[::2]) for part in parts[1:]]


def files(text: str) -> Iterator[tuple[str, str]]:
    """(name, content) of the files that a page tells its reader to write: YAML that begins with its name."""
    for block in blocks(text, "yaml"):
        yield block.splitlines()[0].removeprefix("# "), block


def environment(folder: Path, language: str) -> dict[str, str]:
    """A terminal in that language, this Python's programs first, nothing of the user's own folders."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KNOCKON_", "XDG_", "LC_"))}
    return {
        **kept,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "LANG": language,
        "HOME": str(folder),
        "PYTHONUTF8": "1",
        "COLUMNS": "",
    }


# What only a shell understands; `echo $?` is understood here.
_OF_A_SHELL = re.compile(r"[|&;<>`$()]")
_CODE = "echo $?"


def run(commands: list[str], *, folder: Path, environment: Mapping[str, str]) -> list[str]:
    """What each command says, standard error among it; `$?` is that of the command before.

    Commands of the program alone are run in this process, others in one shell.
    """
    if any(command != _CODE and (_OF_A_SHELL.search(command) or "knockon " not in command) for command in commands):
        return _in_a_shell(commands, folder=folder, environment=environment)
    outputs, code = [], 0
    for command in commands:
        if command == _CODE:
            outputs.append(f"{code}\n")
        else:
            program, *arguments = shlex.split(command)
            assert program == "knockon"
            code, said = said_by(arguments, environment=environment, folder=folder)
            outputs.append(said)
    return outputs


def _in_a_shell(commands: list[str], *, folder: Path, environment: Mapping[str, str]) -> list[str]:
    steps = [f"{command}\nstatus=$?; printf '{_END}'; (exit $status)" for command in commands]
    done = subprocess.run(
        ["bash"],
        input="\n".join(steps),
        cwd=folder,
        env=dict(environment),
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return done.stdout.split(_END)[:-1]


def difference(expected: str, output: str) -> str:
    """Where an output leaves the expected text; empty when it does not. Blanks at the ends of lines do not count."""
    lines = [line.rstrip() for line in expected.rstrip().splitlines()]
    said = "".join(f"{line.rstrip()}\n" for line in output.rstrip().splitlines())
    written = ["(?:.*\n)*?" if line == "…" else ".*?".join(map(re.escape, line.split("…"))) + "\n" for line in lines]
    if re.fullmatch("".join(written), said):
        return ""
    kept = max(count for count in range(len(lines) + 1) if re.match("".join(written[:count]), said))
    wanted = lines[kept] if kept < len(lines) else "the end"
    return f"line {kept + 1} of the page is not there:\n{wanted}\n\nthe output is:\n{said}"
