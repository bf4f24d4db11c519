"""Finds the engine's own command behind assignments, launchers, shells and containers.

`A=1 env B=2 numactl -N 0 vllm serve …`, `srun -N 2 bash -c "vllm serve …"`, `docker run … IMAGE --model …`,
`torchrun -m sglang.launch_server …`. Nothing is ever run.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from knockon.manifests import docker
from knockon.manifests.environment import variables_in
from knockon.manifests.found import Around, Found
from knockon.manifests.program import MENTIONS, engine_words, image_entry, looks_like_vllm
from knockon.manifests.word import Word, check_count, concatenated, script_of, spliced
from knockon.manifests.written import Piece, Written

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(?!=)")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ash", "ksh"})
# They run words as shell text, each for itself or joined by blanks.
_SHELL_TEXT = frozenset({"eval", "ssh", "su", "runuser", "tmux", "screen", "script", "watch", "parallel"})
_MODULE_LAUNCHERS = frozenset({"torchrun", "accelerate"})
_ENVIRONMENT_FLAGS = frozenset({"-e", "--env", "-x", "--export"})
# Commands that may name an engine but start none.
# fmt: off
_ASIDE = frozenset([
    "echo", "printf", "pip", "pip3", "grep", "egrep", "pgrep", "pkill", "ps", "which", "whereis", "type", "cat", "cd",
    "mkdir", "rm", "cp", "mv", "ln", "ls", "curl", "wget", "git", "apt", "apt-get", "yum", "dnf", "helm", "sed", "awk",
    "test", "[", "[[", "read", "sleep", "kill", "wait", "trap", "exit", "return", "ulimit", "source", ".", "set",
    "unset", "huggingface-cli", "hf", "chmod", "chown", "tail", "head", "tee", "date", "hostname", "nvidia-smi", ":",
    "true", "false", "shopt", "alias", "cut", "sort", "touch", "find", "man", "help",
])
# fmt: on


def launches_in_words(words: Sequence[Word], around: Around, *, stdin: Written | None = None) -> list[Found]:
    """The engines that one command starts.

    Args:
        words: the command, assignments in front allowed.
        around: what it may refer to.
        stdin: the here-document that it reads.
    """
    index = 0
    environment = around.environment
    while index < len(words) and (assigned := _assignment(words[index])):
        environment = {**environment, assigned[0]: assigned[1]}
        index += 1
    rest = words[index:]
    if not rest:
        return []
    if environment is not around.environment:
        around = replace(around, environment=environment)
    count = engine_words([word.text for word in rest[:12]])
    if count:
        return [Found(tuple(rest), count, environment, files=around.made)]
    program = program_name(rest[0])
    if program in _ASIDE:
        return []
    if program in docker.PROGRAMS:
        run = docker.run_of(rest)
        return _in_container(run, around, stdin=stdin) if run else []
    if program in _SHELLS:
        return _in_shell(rest, around, stdin=stdin)
    if program in _SHELL_TEXT:
        return _in_shell_text(rest, around, stdin=stdin)
    known = around.file(rest[0].text) if "/" in rest[0].text or rest[0].text in around.made else None
    if known is not None:
        return around.script(known, positional=rest[1:])
    return _further(rest, around, program=program, stdin=stdin)


def launches_in_container(
    entry: Sequence[Word] | None,
    arguments: Sequence[Word] | None,
    around: Around,
    *,
    image: Word | None = None,
    hint: str = "",
) -> list[Found]:
    """The engines that a container starts.

    Args:
        entry: what replaces the image's entry point; None keeps it.
        arguments: what follows the entry point.
        around: what it may refer to.
        image: the image's name.
        hint: other names that may tell what the image is.
    """
    words = [*(entry or ()), *(arguments or ())]
    if words:
        check_count(len(words), words[0].at)
    found = launches_in_words(words, around) if words else []
    if not found and not entry:
        found = _by_image(words, around, image, hint)
    return [each if each.image or image is None else replace(each, image=image) for each in found]


def program_name(word: Word) -> str:
    """The name of a program without its folder."""
    return word.text.replace("\\", "/").rsplit("/", 1)[-1]


def _by_image(arguments: Sequence[Word], around: Around, image: Word | None, hint: str) -> list[Found]:
    """What an image starts by itself with `arguments`."""
    name = image.text if image is not None and not image.gaps else ""
    words = image_entry(name)
    starts_with_flags = not arguments or arguments[0].text.startswith("-") or bool(arguments[0].gaps)
    if words is None:
        hints = f"{image.text if image else ''} {hint}"
        if not arguments or not arguments[0].text.startswith("-") or not looks_like_vllm(hints):
            return []
        where = image or arguments[0]
        seen = repr(image.text) if image else "its name"
        around.notes.add(
            where.at,
            f"the entry point of {seen} is not known here; it is taken for that of vLLM because of its name",
            f"此处不知道 {seen} 的入口点；因其名称按 vLLM 的入口点处理",
        )
        words = ("vllm", "serve")
    elif not starts_with_flags and engine_words(words) == 0 and words:
        return []
    where = image or arguments[0]
    front = [Word(Written(text, where.written.pieces[:1]), where.at) for text in words] or [where]
    return [Found((*front, *arguments), len(front), around.environment, image=image, files=around.made)]


def _in_container(run: docker.Run, around: Around, *, stdin: Written | None) -> list[Found]:
    environment: dict[str, Word] = {}
    for named in run.environment_files:
        held = around.file(named.text)
        if held is not None:
            environment |= variables_in(held)
        else:
            around.notes.add(
                named.at,
                f"the environment file {named.text} is not among the files given; its variables are not known",
                f"给定文件中没有环境文件 {named.text}；其中的变量未知",
            )
    inside = around.deeper(run.image or run.arguments[0]) if run.image or run.arguments else around
    inside = replace(inside, environment=environment | run.environment)
    entry = [run.entry] if run.entry is not None and run.entry.text else None
    if run.is_exec:
        return launches_in_words(run.arguments, inside, stdin=stdin)
    found = launches_in_container(entry, run.arguments, inside, image=run.image)
    count = docker.gpu_count_of(run.gpus.text) if run.gpus is not None and not run.gpus.gaps else None
    return [replace(each, gpu_count=each.gpu_count or count) for each in found]


def _in_shell(words: Sequence[Word], around: Around, *, stdin: Written | None) -> list[Found]:
    """`bash -lc "…" name first second`, `bash script.sh first`, `bash <<EOF`."""
    for index, word in enumerate(words[1:], start=1):
        text = word.text
        if text.startswith("-") and not text.startswith("--") and "c" in text[1:]:
            if index + 1 >= len(words):
                return []
            return around.script(script_of(words[index + 1]), positional=words[index + 3 :])
        if not text.startswith(("-", "+")):
            script = around.file(text)
            return around.script(script, positional=words[index + 1 :]) if script is not None else []
    return around.script(stdin) if stdin is not None else []


def _in_shell_text(words: Sequence[Word], around: Around, *, stdin: Written | None) -> list[Found]:
    if words[0].text == "eval":
        return around.script(_joined(words[1:])) if len(words) > 1 else []
    start = next((i for i, word in enumerate(words) if MENTIONS.search(word.text)), None)
    if start is None:
        return around.script(stdin) if stdin is not None else []
    # An assignment or launcher in front of the engine's word belongs to its command.
    while start > 1 and not words[start - 1].text.startswith("-") and _leads(words[start - 1]):
        start -= 1
    return around.script(_joined(words[start:]))


def _leads(word: Word) -> bool:
    return bool(_ASSIGNMENT.match(word.text)) or word.text in ("env", "nohup", "exec", "python", "python3", "-m")


def _joined(words: Sequence[Word]) -> Written:
    """Words joined by blanks as one script."""
    parts: list[Written] = []
    for word in words:
        script = script_of(word)
        if parts:
            first = script.pieces[0]
            parts.append(Written(" ", (Piece(0, first.file, max(first.offset - 1, 0)),)))
        parts.append(script)
    at = words[0].at
    return concatenated([Word(part, at) for part in parts], at=at).written


def _further(words: Sequence[Word], around: Around, *, program: str, stdin: Written | None) -> list[Found]:
    """Look for the command that a launcher is given."""
    environment: Mapping[str, Word] = around.environment
    texts = [word.text for word in words]
    for index in range(1, len(words)):
        text = texts[index]
        assigned = _assignment(words[index])
        if assigned is not None:
            environment = {**environment, assigned[0]: assigned[1]}
            continue
        inner = replace(around, environment=environment)
        if program in _MODULE_LAUNCHERS and text in ("-m", "--module") and engine_words(["python", *texts[index:]]):
            python = Word(Written("python", words[0].written.pieces[:1]), words[0].at)
            return [Found((python, *words[index:]), 3, environment, files=around.made)]
        name = text.rsplit("/", 1)[-1]
        if name in _SHELLS or name in docker.PROGRAMS or name in ("eval", "ssh"):
            found = launches_in_words(words[index:], inner, stdin=stdin)
            if found:
                return found
        count = engine_words(texts[index : index + 12])
        if count:
            return [Found(tuple(words[index:]), count, environment, files=around.made)]
        if around.made and text in around.made:
            return around.script(around.made[text], positional=words[index + 1 :])
    return []


def _assignment(word: Word) -> tuple[str, Word] | None:
    """`NAME=value`, also as the value of `-e` and `--env=`; None for any other word."""
    text = word.text
    start = 0
    if text.startswith("-"):
        flag = text.partition("=")[0]
        if flag not in _ENVIRONMENT_FLAGS:
            return None
        start = len(flag) + 1
    match = _ASSIGNMENT.match(text, start)
    return (match[1], spliced(word, match.end(), len(text))) if match else None
