"""`docker run …`: which image, which words for it, which variables and GPUs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from knockon.manifests.word import Word, spliced

PROGRAMS = frozenset({"docker", "podman", "nerdctl", "nvidia-docker"})
# Long options without a value; every other one takes the next word unless it is glued with `=`.
_SWITCHES = frozenset(
    {
        "--detach", "--disable-content-trust", "--init", "--interactive", "--no-healthcheck", "--oom-kill-disable",
        "--privileged", "--publish-all", "--quiet", "--read-only", "--rm", "--sig-proxy", "--tty", "--replace",
        "--remove", "--help",
    }
)  # fmt: skip
_SHORT_SWITCHES = frozenset("ditPq")
_COUNT = re.compile(r"(?:count=)?(\d+)")
_DEVICES = re.compile(r'"?device=([^"]+)"?')


@dataclass
class Run:
    """The words of one `docker run` or `docker exec`."""

    environment: dict[str, Word] = field(default_factory=dict)
    environment_files: list[Word] = field(default_factory=list)
    entry: Word | None = None
    """`--entrypoint`."""
    image: Word | None = None
    arguments: tuple[Word, ...] = ()
    gpus: Word | None = None
    is_exec: bool = False
    """The words run in a container that is there already: the image's entry point is not used."""


def run_of(words: Sequence[Word]) -> Run | None:
    """The parts of a container command; None when it starts no container and runs nothing in one."""
    verb = next((i for i, word in enumerate(words[:8]) if i and word.text in ("run", "exec", "create")), None)
    if verb is None:
        return None
    run = Run(is_exec=words[verb].text == "exec")
    index = verb + 1
    while index < len(words):
        word = words[index]
        if not word.text.startswith("-") or word.text == "-":
            break
        index += _option(run, word, words[index + 1] if index + 1 < len(words) else None)
    run.image = words[index] if index < len(words) else None
    run.arguments = tuple(words[index + 1 :])
    return run


def _option(run: Run, word: Word, following: Word | None) -> int:
    """Take one option; how many words it takes."""
    text = word.text
    name, equals, _ = text.partition("=")
    if text.startswith("--"):
        if equals:
            _take(run, name, spliced(word, len(name) + 1, len(text)))
            return 1
        if name in _SWITCHES:
            return 1
    else:
        letter = next((i for i, sign in enumerate(text) if i and sign not in _SHORT_SWITCHES), None)
        if letter is None:
            return 1
        name = f"-{text[letter]}"
        if letter + 1 < len(text):
            start = letter + 1 + text.startswith("=", letter + 1)
            _take(run, name, spliced(word, start, len(text)))
            return 1
    if following is not None:
        _take(run, name, following)
    return 2


def _take(run: Run, name: str, value: Word) -> None:
    if name in ("-e", "--env"):
        variable, equals, _ = value.text.partition("=")
        if equals:
            run.environment[variable] = spliced(value, len(variable) + 1, len(value.text))
    elif name == "--env-file":
        run.environment_files.append(value)
    elif name == "--entrypoint":
        run.entry = value
    elif name in ("--gpus", "--device-gpus"):
        run.gpus = value


def gpu_count_of(value: str) -> int | None:
    """How many GPUs `--gpus VALUE` gives; None for all of them."""
    text = value.strip("'\"")
    devices = _DEVICES.search(text)
    if devices is not None:
        return len([each for each in devices[1].split(",") if each and "=" not in each])
    count = _COUNT.fullmatch(text.split(",")[0])
    return int(count[1]) if count and len(count[1]) < 6 else None
