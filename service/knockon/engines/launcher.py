"""Finds the engine's own command behind environment assignments and the programs that launch others.

`A=1 env B=2 numactl -N 0 vllm serve …`, `mpirun -n 8 trtllm-llmapi-launch trtllm-serve …`,
`docker run -e A=1 --gpus all vllm/vllm-openai:v0.11.0 --model …`. Nothing is ever run.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from knockon.engines.base import Engine, Given, Start
from knockon.engines.program import program_of
from knockon.terms.argument import Argument

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
# Programs that run another one named in their arguments.
# fmt: off
_LAUNCHERS = frozenset([
    "catchsegv", "chrt", "command", "conda", "ddtrace-run", "docker", "env", "exec", "ionice", "mpiexec",
    "mpirun", "nerdctl", "nice", "nohup", "nsys", "numactl", "nvidia-docker", "opentelemetry-instrument", "pdm",
    "podman", "poetry", "setsid", "srun", "stdbuf", "sudo", "taskset", "time", "timeout", "tini",
    "trtllm-llmapi-launch", "uv", "uvx", "xargs",
])
# fmt: on
_ENVIRONMENT_FLAGS = frozenset({"-e", "--env", "-x", "--export"})


@dataclass(frozen=True, slots=True)
class Launched:
    """An engine's command, found: its words from the program on, and the variables set before it."""

    engine: Engine
    start: Start
    arguments: tuple[Argument, ...]
    environment: tuple[Given, ...]


def unwrapped(arguments: Sequence[Argument], engines: Sequence[Engine]) -> Launched | None:
    """The first engine command in `arguments`; None when they start none of `engines`."""
    environment: list[Given] = []
    index = 0
    is_launched = False
    while index < len(arguments):
        rest = arguments[index:]
        assigned = _assignment(arguments[index])
        for engine in engines:
            start = None if assigned else engine.recognises(rest)
            if start is not None:
                return Launched(engine, start, tuple(rest), tuple(environment))
        if assigned is not None:
            environment.append(assigned)
        elif program_of(rest) in _LAUNCHERS:
            is_launched = True
        elif not is_launched:
            return None
        index += 1
    return None


def leading_assignments(arguments: Sequence[Argument]) -> tuple[Given, ...]:
    """The variables that stand before a command's first other word, one for each word."""
    found = [_assignment(word) for word in arguments]
    count = next((index for index, one in enumerate(found) if one is None or one.name.islower()), len(found))
    return tuple(one for one in found[:count] if one is not None)


def _assignment(word: Argument) -> Given | None:
    """`NAME=value`, also as the value of `-e` and `--env=`; None for any other word."""
    text, at = word.text, word.at
    for flag in _ENVIRONMENT_FLAGS:
        if text.startswith(f"{flag}="):
            at, text = at and at.right(len(flag) + 1), text[len(flag) + 1 :]
    match = _ASSIGNMENT.fullmatch(text)
    return Given(match[1], match[2], at) if match else None
