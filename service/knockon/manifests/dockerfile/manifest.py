"""Reads Dockerfiles: entry point and command merged as Docker does, with the variables of the image."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from knockon.manifests.base import File, Launch, Notes, file_set
from knockon.manifests.dockerfile.instructions import Instruction, instructions_of
from knockon.manifests.document import Items, Scalar, documents_of
from knockon.manifests.found import Around, Found
from knockon.manifests.launcher import launches_in_container
from knockon.manifests.launching import launch_of
from knockon.manifests.lookup import files_in, source_of
from knockon.manifests.script import launches_in_script
from knockon.manifests.word import Word, in_place_of, split_words, with_variables, word_of
from knockon.manifests.written import Written
from knockon.terms.errors import IntakeError

_FIRST = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:FROM|ARG)[ \t]", re.IGNORECASE)
_FROM = re.compile(r"(?:--platform=\S+\s+)?(\S+)(?:\s+[Aa][Ss]\s+(\S+))?")
_PAIR = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


@dataclass(frozen=True, slots=True)
class _Command:
    """The argument of ENTRYPOINT or CMD."""

    words: tuple[Word, ...]
    is_shell: bool


@dataclass
class _Stage:
    name: str
    image: Word
    variables: dict[str, Word] = field(default_factory=dict)
    """What ENV and ARG set: what the instructions may refer to."""
    environment: dict[str, Word] = field(default_factory=dict)
    entry: _Command | None = None
    command: _Command | None = None
    files: dict[str, Written] = field(default_factory=dict)
    is_base: bool = False
    sets_command: bool = False


class Dockerfile:
    """Dockerfiles."""

    name = "dockerfile"

    def recognises(self, file: File) -> bool:
        """By its name, or because it starts with FROM or ARG."""
        name = file.name.lower()
        if name in ("dockerfile", "containerfile") or name.startswith(("dockerfile.", "containerfile.")):
            return True
        return name.endswith((".dockerfile", ".containerfile")) or (
            "." not in name and _FIRST.match(file.text[:4_000]) is not None
        )

    def read(self, file: File, *, others: Sequence[File]) -> tuple[Launch, ...]:
        """Read the last stage, and those before it that can be built for themselves; see `Manifest.read`."""
        stages = _stages(source_of(file))
        files = files_in(file_set(others), beside=file)
        launches = []
        for index, stage in enumerate(stages):
            is_last = index == len(stages) - 1
            if (not stage.entry and not stage.command) or not (is_last or (stage.sets_command and not stage.is_base)):
                continue

            def look(path: str, stage: _Stage = stage) -> Written | None:
                return stage.files.get(path) or files(path)

            notes = Notes()
            around = Around(launches_in_script, notes, environment=stage.environment, files=look)
            name = file.name if is_last or not stage.name else f"{file.name}/{stage.name}"
            launches += [
                launch_of(found, notes, name=name, kind=self.name, lookup=look) for found in _launches(stage, around)
            ]
        return tuple(launches)


def _launches(stage: _Stage, around: Around) -> list[Found]:
    """Entry point and command as https://docs.docker.com/reference/dockerfile/#understand-how-cmd-and-entrypoint-interact."""
    entry = _exec_form(stage.entry)
    # A shell-form entry point ignores what follows it.
    ignores = stage.entry is not None and stage.entry.is_shell
    arguments = None if ignores else _exec_form(stage.command)
    return launches_in_container(entry, arguments, around, image=stage.image)


def _exec_form(command: _Command | None) -> tuple[Word, ...] | None:
    if command is None:
        return None
    if not command.is_shell or not command.words:
        return command.words
    script = command.words[0]
    return (in_place_of("/bin/sh", script), in_place_of("-c", script), script)


def _stages(source: Written) -> list[_Stage]:
    stages: list[_Stage] = []
    globals_: dict[str, Word] = {}
    for instruction in instructions_of(source):
        if instruction.name == "FROM":
            stages.append(_opened(instruction, stages, globals_))
        elif not stages:
            if instruction.name == "ARG":
                globals_ |= _pairs(instruction.argument, globals_)
        else:
            _take(instruction, stages[-1], globals_)
    return stages


def _opened(instruction: Instruction, stages: Sequence[_Stage], globals_: dict[str, Word]) -> _Stage:
    """A new stage; one that is built on another takes over all that it sets."""
    match = _FROM.match(instruction.argument.text)
    start, end = match.span(1) if match else (0, len(instruction.argument.text))
    image = with_variables(word_of(instruction.argument.cut(start, end)), globals_)
    name = (match[2] if match else None) or ""
    base = next((stage for stage in stages if stage.name and stage.name.lower() == image.text.lower()), None)
    if base is None:
        return _Stage(name, image)
    base.is_base = True
    return replace(
        base,
        name=name,
        is_base=False,
        sets_command=False,
        variables=dict(base.variables),
        environment=dict(base.environment),
        files=dict(base.files),
    )


def _take(instruction: Instruction, stage: _Stage, globals_: dict[str, Word]) -> None:
    argument = instruction.argument
    if instruction.name == "ARG":
        given = _pairs(argument, stage.variables)
        if not given and argument.text.strip() in globals_:
            given = {argument.text.strip(): globals_[argument.text.strip()]}
        stage.variables = given | stage.variables
    elif instruction.name == "ENV":
        given = _pairs(argument, stage.variables)
        stage.variables |= given
        stage.environment |= given
    elif instruction.name == "ENTRYPOINT":
        stage.entry, stage.sets_command = _command(argument), True
        # Setting the entry point forgets the command of the image it builds on.
        stage.command = None
    elif instruction.name == "CMD":
        stage.command, stage.sets_command = _command(argument), True
    elif instruction.name in ("COPY", "ADD") and instruction.bodies:
        target = argument.text.split()[-1]
        stage.files[target] = instruction.bodies[0]


def _command(argument: Written) -> _Command:
    """Exec form is a JSON array; everything else is shell text."""
    text = argument.text.strip()
    if text.startswith("["):
        try:
            documents = documents_of(argument)
        except IntakeError:
            documents = []
        held = documents[0] if len(documents) == 1 else None
        if isinstance(held, Items) and all(isinstance(each, Scalar) and each.style == '"' for each in held.held):
            return _Command(tuple(word_of(each.written) for each in held.held if isinstance(each, Scalar)), False)
    return _Command((Word(argument, argument.at(0)),) if text else (), is_shell=True)


def _pairs(argument: Written, variables: dict[str, Word]) -> dict[str, Word]:
    """`A=1 B="two words"`, or the old `ENV A one value`."""
    words = split_words(word_of(argument))
    pairs: dict[str, Word] = {}
    if words and not _PAIR.match(words[0].text):
        name = words[0].text
        rest = argument.text.find(name) + len(name)
        value = argument.cut(rest + len(argument.text[rest:]) - len(argument.text[rest:].lstrip()), len(argument.text))
        return {name: with_variables(word_of(value), variables)} if len(words) > 1 else {}
    for word in words:
        match = _PAIR.match(word.text)
        if match is not None:
            value = word.written.cut(match.end(), len(word.text))
            pairs[match[0][:-1]] = with_variables(word_of(value), variables | pairs)
    return pairs
