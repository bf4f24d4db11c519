"""Finds and reads the files that `check` is asked about: those named, and those in named folders."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from knockon.cli.deployment import Options, described_as, described_in
from knockon.cli.paths import is_file, is_folder
from knockon.cli.reading import STDIN, read_text, shown
from knockon.jobs.described import Described
from knockon.manifests import launches_in
from knockon.manifests.base import File, FileSet
from knockon.terms.errors import IntakeError, KnockonError, LimitExceeded, Problem
from knockon.terms.limits import INTAKE_BYTES_MAX, RUN_FILES_MAX
from knockon.terms.place import Position

# What a launch, or something a launch refers to, is kept in; everything else in a folder is not even opened.
_SUFFIXES = frozenset(
    {".yaml", ".yml", ".json", ".sh", ".bash", ".service", ".container", ".env", ".conf", ".dockerfile"}
)
_NAMES = ("dockerfile", "containerfile")
# What Compose takes its variables from, though its name begins with a dot.
_DOT_ENV = ".env"
_DROP_IN_FOLDERS = (".service.d", ".container.d")
# Folders of other people's files.
_FOREIGN = frozenset({"node_modules", "__pycache__", "site-packages"})
# Files of all kinds lie in a folder: what is no text is only told where it speaks of an engine.
_NO_TEXT = frozenset({"not-utf-8", "not-text"})
_SPEAKS_OF_ENGINES = re.compile(rb"vllm|sglang|trtllm|tensorrt|text-generation-launcher", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """One file to look at."""

    path: str
    root: str | None = None
    """The named folder it was found in; None where the file itself was named."""


def sources_of(paths: Sequence[str], *, skips_others: bool = False) -> list[Source]:
    """Every file to look at, once, in the order of the paths, inside folders by name.

    Args:
        paths: files, folders, or `-` for standard input.
        skips_others: take named files as if they were found in their folder, so that what starts no engine is left out.

    Raises:
        IntakeError: a path is empty. LimitExceeded: more than RUN_FILES_MAX.
    """
    found: dict[str, Source] = {}
    for path in paths:
        if not path:
            what, fix = "the path is empty", "name a file or a folder; `.` is the one you are in"
            raise IntakeError(Problem("empty-path", what, "a path", fix))
        if path != STDIN and is_folder(path):
            for each in _walked(path):
                found.setdefault(each, Source(each, path))
                if len(found) > RUN_FILES_MAX:
                    raise LimitExceeded("the number of files", limit=RUN_FILES_MAX, at=Position(path, 1, 1))
        else:
            found[path] = Source(path, str(Path(path).parent) if skips_others and path != STDIN else None)
    return list(found.values())


def described_by(sources: Sequence[Source], options: Options) -> Iterator[tuple[Source, list[Described]]]:
    """What each source describes, as one after the other is read; nothing for a file of a folder that has no launch.

    Named files are read as one set, each of which may refer to the others; a file of a folder may refer to its
    neighbours and to the files above it, up to the named folder.
    """
    named = [source for source in sources if source.root is None]
    yield from _named(named, options)
    above: dict[Path, tuple[File, ...]] = {}
    together, by_path, current = FileSet(()), dict[str, File](), None
    for source in sources:
        if source.root is None:
            continue
        folder = Path(source.path).parent
        if folder != current:
            current, above = folder, _with_files_of(folder, Path(source.root), above)
            together = FileSet([file for files in above.values() for file in files])
            by_path = {file.path: file for file in together}
        file = by_path.get(source.path)
        yield source, _found(source, file, together, options) if file else _refused(source)


def set_of(source: Source) -> str:
    """Which set a source is read in: that of the named files, or that of its folder."""
    return "named" if source.root is None else f"folder {Path(source.path).parent}"


def _named(sources: Sequence[Source], options: Options) -> Iterator[tuple[Source, list[Described]]]:
    read: list[tuple[Source, File | Problem]] = []
    for source in sources:
        try:
            read.append((source, File(shown(source.path), read_text(source.path))))
        except KnockonError as error:
            read.append((source, error.problem))
    given = [file for _, file in read if isinstance(file, File)]
    together = FileSet([*given, *_beside(given)])
    silent: list[tuple[Source, File, Problem]] = []
    for source, file in read:
        if isinstance(file, Problem):
            yield source, [_unread(source, file)]
            continue
        try:
            yield source, described_in(source.path, file.text, options, others=together)
        except KnockonError as error:
            silent.append((source, file, error.problem))
    for source, file, problem in silent:
        # What another file takes its variables from need not start anything itself.
        yield source, [] if file.path in together.used else [_unread(source, problem)]


def _beside(given: Sequence[File]) -> Iterator[File]:
    """The `.env` beside each Compose file: Compose reads it without being told."""
    held = {file.path for file in given}
    for folder in dict.fromkeys(Path(file.path).parent for file in given if "services" in file.text):
        path = str(folder / _DOT_ENV)
        if path not in held and Path(path).is_file():
            try:
                yield File(path, read_text(path))
            except KnockonError:
                # The variables in it stay unknown, and the answer says so of each.
                continue


def _found(source: Source, file: File, together: FileSet, options: Options) -> list[Described]:
    folder = Path(source.path).parent
    try:
        launches = launches_in(file, others=together)
    except KnockonError as error:
        return [] if error.code == "unknown-manifest" else _told(source, error.problem)
    return [described_as(launch, source.path, file.text, options, folder=folder) for launch in launches]


def _refused(source: Source) -> list[Described]:
    """What keeps a file of a folder from being read at all."""
    try:
        read_text(source.path)
    except KnockonError as error:
        return _told(source, error.problem)
    return []


def _told(source: Source, problem: Problem) -> list[Described]:
    if problem.code in _NO_TEXT:
        with Path(source.path).open("rb") as stream:
            # In UTF-16 and UTF-32 the letters of ASCII have zeros between them.
            if not _SPEAKS_OF_ENGINES.search(stream.read(INTAKE_BYTES_MAX).replace(b"\0", b"")):
                return []
    return [_unread(source, problem)]


def _unread(source: Source, problem: Problem) -> Described:
    path = shown(source.path)
    return Described(path, "", path, None, problem=problem, at=problem.at or Position(path, 1, 1))


def _with_files_of(folder: Path, root: Path, held: dict[Path, tuple[File, ...]]) -> dict[Path, tuple[File, ...]]:
    """The files of a folder and of those above it up to the root; what is held already is not read again."""
    folders = [folder]
    while folders[-1] != root and folders[-1] != folders[-1].parent:
        folders.append(folders[-1].parent)
    return {each: held[each] if each in held else _files_in(each) for each in folders}


def _files_in(folder: Path) -> tuple[File, ...]:
    files = []
    inside = [*folder.iterdir()]
    names = _candidates(str(folder), [path.name for path in inside])
    # A unit is not whole without its drop-ins.
    drop_ins = [each for each in inside if each.name.endswith(_DROP_IN_FOLDERS) and is_folder(each)]
    added = (path for each in sorted(drop_ins) for path in _candidates(str(each), [one.name for one in each.iterdir()]))
    for path in (*names, *added):
        try:
            files.append(File(path, read_text(path)))
        except KnockonError:
            # It is told when it is its turn; nobody can refer to it.
            continue
    return tuple(files)


def _walked(root: str) -> Iterator[str]:
    unread: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=unread.append):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in _FOREIGN and not is_file(Path(folder, name, "pyvenv.cfg"))
        )
        yield from _candidates(folder, names)
    # What may not be looked at is no file without a launch: it is told like one that cannot be read.
    yield from (str(error.filename) for error in unread)


def _candidates(folder: str, names: Sequence[str]) -> Iterator[str]:
    for name in sorted(names):
        path = Path(folder, name)
        if _may_hold_a_launch(path) and is_file(path):
            yield str(path)


def _may_hold_a_launch(path: Path) -> bool:
    name = path.name.lower()
    if path.suffix.lower() in _SUFFIXES or name.startswith(_NAMES) or name == _DOT_ENV:
        return True
    if path.suffix or name.startswith("."):
        return False
    try:
        # A script without a suffix says by its first line what it is.
        with path.open("rb") as stream:
            return stream.read(2) == b"#!"
    except OSError:
        return False


def nothing_in(paths: Sequence[str]) -> IntakeError:
    """The refusal of folders that hold no launch at all."""
    return IntakeError(
        Problem(
            "no-engine-command",
            "nothing in it starts an engine known here",
            "a shell script, a Dockerfile, a Compose file, a Kubernetes manifest, chart values or a systemd unit",
            at=Position(paths[0], 1, 1),
        )
    )
