"""Reads units of systemd, and Podman's units that describe a container."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from knockon.manifests.base import File, FileSet, Launch, Notes, file_set
from knockon.manifests.environment import variables_in
from knockon.manifests.found import Around, Found
from knockon.manifests.launcher import launches_in_container, launches_in_words
from knockon.manifests.launching import launch_of
from knockon.manifests.lookup import files_in, source_of
from knockon.manifests.script import launches_in_script
from knockon.manifests.word import Gap, Word, concatenated, spliced, split_words, with_variables, word_of
from knockon.manifests.written import Written, joined

_SECTION = re.compile(r"^[ \t]*\[(?:Service|Container)\]", re.MULTILINE)
_SETTING = re.compile(r"[ \t]*([A-Za-z]+)[ \t]*=[ \t]*")
_DROP_IN_FOLDERS = (".service.d", ".container.d")
_PREFIXES = "-@:+!|"
# https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html#Specifiers: %% is a percent sign.
_SPECIFIER = re.compile(r"%[A-Za-z%]")
_WHOLE_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


@dataclass
class _Unit:
    starts: list[Written] = field(default_factory=list)
    renames: bool = False
    """`@`: the second word is only the name that the program is shown by."""
    environment: dict[str, Word] = field(default_factory=dict)
    environment_files: list[Word] = field(default_factory=list)
    image: Word | None = None
    command: Written | None = None
    """`Exec=` of a container unit."""
    entry: Written | None = None


class Systemd:
    """Units of systemd and Podman."""

    name = "systemd"

    def recognises(self, file: File) -> bool:
        """A unit by its name, or a text with a [Service] or [Container] section."""
        return file.name.endswith((".service", ".container")) or (
            "." not in file.name.removesuffix(".conf") and _SECTION.search(file.text[:4_000]) is not None
        )

    def read(self, file: File, *, others: Sequence[File]) -> tuple[Launch, ...]:
        """Read what the unit starts; see `Manifest.read`."""
        files = file_set(others)
        if _unit_of(file, files) is not None:
            files.use(file)
            return ()
        unit = _Unit()
        for each in (file, *_drop_ins(file, files)):
            _add(unit, source_of(each))
        look = files_in(files, beside=file)
        notes = Notes()
        environment = unit.environment | _from_files(unit, files, notes, beside=file)
        around = Around(launches_in_script, notes, environment=environment, files=look)
        found: list[Found] = []
        for start in unit.starts:
            words = _words(start, environment)
            found += launches_in_words([*words[:1], *words[2:]] if unit.renames else words, around)
        if unit.image is not None:
            entry = _words(unit.entry, environment) if unit.entry else None
            arguments = _words(unit.command, environment) if unit.command else None
            found += launches_in_container(entry, arguments, around, image=unit.image)
        name = re.sub(r"\.(?:service|container|conf)$", "", file.name)
        return tuple(launch_of(each, notes, name=name, kind=self.name, lookup=look) for each in found)


def _folder_of(file: File) -> str:
    return file.path.replace("\\", "/").rpartition("/")[0]


def _unit_of(file: File, files: FileSet) -> File | None:
    """The unit that a drop-in (`UNIT.d/*.conf`) adds to; None where it is none, or its unit is not here."""
    folder = _folder_of(file)
    if not (file.name.endswith(".conf") and folder.endswith(_DROP_IN_FOLDERS)):
        return None
    wanted = folder.removesuffix(".d")
    return next((each for each in files if each.path.replace("\\", "/") == wanted), None)


def _drop_ins(file: File, files: FileSet) -> list[File]:
    """What adds to a unit, in the order in which systemd reads it: by name."""
    wanted = f"{file.path.replace(chr(92), '/')}.d"
    found = [each for each in files if each.name.endswith(".conf") and _folder_of(each) == wanted]
    for each in found:
        files.use(each)
    return sorted(found, key=lambda each: each.name)


def _add(unit: _Unit, source: Written) -> None:
    """Read a unit, or what is to be added to it; an empty setting forgets those before it."""
    for name, value in _settings(source):
        is_empty = not value.text.strip()
        if name == "ExecStart":
            start = len(value.text) - len(value.text.lstrip(_PREFIXES + " \t"))
            unit.starts = [] if is_empty else [*unit.starts, value.cut(start, len(value.text))]
            unit.renames = not is_empty and (unit.renames or "@" in value.text[:start])
        elif name == "Environment":
            unit.environment = {} if is_empty else unit.environment | _assigned(value)
        elif name == "EnvironmentFile":
            start = len(value.text) - len(value.text.lstrip("-"))
            named = word_of(value.cut(start, len(value.text)))
            unit.environment_files = [] if is_empty else [*unit.environment_files, named]
        elif name == "Image":
            unit.image = word_of(value)
        elif name == "Exec":
            unit.command = value
        elif name == "Entrypoint":
            unit.entry = value


def _assigned(value: Written) -> dict[str, Word]:
    """The variables of one `Environment=`."""
    assigned: dict[str, Word] = {}
    for word in split_words(word_of(value)):
        variable, equals, _ = word.text.partition("=")
        if equals:
            assigned[variable] = _with_specifiers(spliced(word, len(variable) + 1, len(word.text)))
    return assigned


def _settings(source: Written) -> list[tuple[str, Written]]:
    """Every `Name=value`, lines that end with a backslash joined; comments between them are skipped."""
    settings: list[tuple[str, Written]] = []
    parts: list[Written] = []
    name = ""
    offset = 0
    text = source.text
    while offset < len(text):
        newline = text.find("\n", offset)
        stop = newline if newline >= 0 else len(text)
        line = text[offset:stop].rstrip()
        is_comment = line.lstrip().startswith(("#", ";"))
        if not parts:
            match = _SETTING.match(text, offset, stop)
            if match is not None and not is_comment:
                name = match[1]
                continues = line.endswith("\\")
                parts = [source.cut(match.end(), max(match.end(), offset + len(line) - continues))]
                if not continues:
                    settings.append((name, joined(parts)))
                    parts = []
        elif not is_comment:
            continues = line.endswith("\\")
            parts += [
                Written(" ", source.cut(offset, offset).pieces),
                source.cut(offset, max(offset, offset + len(line) - continues)),
            ]
            if not continues:
                settings.append((name, joined(parts)))
                parts = []
        offset = stop + 1
    if parts:
        settings.append((name, joined(parts)))
    return settings


def _words(value: Written, environment: dict[str, Word]) -> list[Word]:
    """The words of a command line: `$NAME` alone becomes several, `${NAME}` stays one."""
    words: list[Word] = []
    for word in split_words(word_of(value)):
        alone = _WHOLE_VARIABLE.fullmatch(word.text)
        held = environment.get(alone[1]) if alone else None
        if held is not None:
            words += split_words(held)
        else:
            words.append(_with_specifiers(with_variables(word, environment)))
    return words


def _with_specifiers(word: Word) -> Word:
    """`%i` and its like are only known where the unit is started."""
    if "%" not in word.text:
        return word
    parts: list[Word] = []
    last = 0
    for match in _SPECIFIER.finditer(word.text):
        parts.append(spliced(word, last, match.start()))
        last = match.end()
        if match[0] == "%%":
            parts.append(spliced(word, match.start(), match.start() + 1))
        else:
            cut = spliced(word, match.start(), last)
            parts.append(Word(cut.written, cut.at, (Gap(0, 2, match[0]),)))
    parts.append(spliced(word, last, len(word.text)))
    return concatenated(parts, at=word.at)


def _from_files(unit: _Unit, files: FileSet, notes: Notes, *, beside: File) -> dict[str, Word]:
    """The variables of environment files; they win over those in the unit."""
    variables: dict[str, Word] = {}
    for named in unit.environment_files:
        held = files.at_path(named.text, beside=beside)
        if held is not None:
            variables |= variables_in(source_of(held))
        else:
            notes.add(
                named.at,
                f"the environment file {named.text} is not among the files given; its variables are not known",
                f"给定文件中没有环境文件 {named.text}；其中的变量未知",
            )
    return variables
