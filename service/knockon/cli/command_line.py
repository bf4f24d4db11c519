"""What stands after `--`: the command that starts an engine, or a shell with a script that does."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath

from knockon.cli.deployment import Options, described_in, from_command
from knockon.jobs.described import Described

_NAME = "<command>"
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh"})
_GIVES_SCRIPT = re.compile("-[a-z]*c")


def described_by(words: Sequence[str], options: Options) -> list[Described]:
    """The launch of a command; those of the script, where it gives one to a shell: `bash -lc "vllm serve …"`.

    Raises:
        IntakeError: no engine is started, or a value cannot be read. NotFound: an unknown model or GPU.
        LimitExceeded: too long.
    """
    script = _script_in(words)
    if script is not None:
        return described_in(_NAME, script, options)
    return [Described(_NAME, "command", _NAME, from_command(words, options))]


def _script_in(words: Sequence[str]) -> str | None:
    if not words or PurePath(words[0]).name not in _SHELLS:
        return None
    given = (script for option, script in pairwise(words) if _GIVES_SCRIPT.fullmatch(option))
    return next(given, None)
