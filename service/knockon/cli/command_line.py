"""What stands after `--`: the command that starts an engine, in quotes or not, or a shell with a script that does."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath

from knockon.cli.deployment import Options, described_in, from_command, one_of
from knockon.jobs.deployment import Asked
from knockon.jobs.described import Described

_NAME = "<command>"
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh"})
_GIVES_SCRIPT = re.compile("-[a-z]*c")


def described_by(words: Sequence[str], options: Options) -> list[Described]:
    """The launch of a command; those of the script, where it is one or gives one to a shell: `bash -lc "vllm serve …"`.

    Raises:
        IntakeError: no engine is started, or a value cannot be read. NotFound: an unknown model or GPU.
        LimitExceeded: too long.
    """
    script = _script_in(words)
    if script is not None:
        return described_in(_NAME, script, options)
    return [Described(_NAME, "command", _NAME, from_command(words, options))]


def asked_by(words: Sequence[str], options: Options) -> Asked:
    """The one deployment that a command starts; raises as `described_by`, also where it starts several."""
    return one_of(described_by(words, options), _NAME)


def _script_in(words: Sequence[str]) -> str | None:
    # The shell that started us splits a command line into words; one in quotes comes whole.
    if len(words) == 1 and len(words[0].split()) > 1:
        return words[0]
    if not words or PurePath(words[0]).name not in _SHELLS:
        return None
    given = (script for option, script in pairwise(words) if _GIVES_SCRIPT.fullmatch(option))
    return next(given, None)
