"""The two trees of YAML files as one bundle; every problem of every file is found before anything is refused."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from knockon.curate.beside import beside
from knockon.curate.build import Steps
from knockon.curate.document import Document, Text, content_of, read_bytes
from knockon.curate.files import yaml_files
from knockon.curate.forms import shown
from knockon.curate.layout import ROOMS, Room
from knockon.curate.shelf import Said, Shelf, digest_of
from knockon.terms.body import Body
from knockon.terms.bundle import Bundle, Entry, Kind
from knockon.terms.errors import CurationError, KnockonError, Problem
from knockon.terms.place import Position
from knockon.terms.words import Json


@dataclass(frozen=True, slots=True)
class Located:
    """One entry and where it was read; `steps` lead to its body in the document."""

    entry: Entry
    document: Text
    steps: Steps
    digest: str
    """Of the file it stands in; see shelf.py."""

    def at(self, *steps: str | int) -> Position:
        """Where the value at `steps` of the body starts."""
        return self.document.at(*self.steps, *steps)

    def key_at(self, *steps: str | int) -> Position:
        """Where the key of the value at `steps` of the body stands."""
        return self.document.key_at(*self.steps, *steps)

    def inside(self, *steps: str | int, offset: int) -> Position:
        """Where character `offset` of the text at `steps` of the body stands."""
        return self.document.inside(*self.steps, *steps, offset=offset)


@dataclass(frozen=True)
class Tree:
    """All that could be read, and all that could not."""

    located: tuple[Located, ...]
    problems: tuple[Problem, ...]
    refused: Mapping[Kind, frozenset[str]]
    """Keys whose bodies were refused: they exist, so pointing at them is no further problem."""
    unreadable: frozenset[Kind]
    """Kinds of which a whole file could not be read, so that any key may be missing."""

    @cached_property
    def by_kind(self) -> Mapping[Kind, Mapping[str, Located]]:
        """What could be read, by kind and key."""
        groups: dict[Kind, dict[str, Located]] = {}
        for located in self.located:
            groups.setdefault(located.entry.kind, {})[located.entry.key] = located
        return groups

    def of_kind(self, kind: Kind) -> Mapping[str, Located]:
        """What could be read of one kind, by key."""
        return self.by_kind.get(kind, {})

    def keys(self, kind: Kind) -> frozenset[str]:
        """Every key of the kind, those with refused bodies too."""
        return self.refused.get(kind, frozenset()).union(self.of_kind(kind))

    def bundle(self) -> Bundle:
        """What could be read, as one bundle."""
        return Bundle.of(located.entry for located in self.located)


def read_tree(catalog_dir: Path, rules_dir: Path) -> Bundle:
    """Read catalog and rules as one bundle.

    Raises:
        CurationError: with all problems of all files, sorted by place.
    """
    tree = collect_tree(catalog_dir, rules_dir)
    if tree.problems:
        raise CurationError(tree.problems)
    return tree.bundle()


def collect_tree(catalog_dir: Path, rules_dir: Path, *, shelf: Shelf | None = None) -> Tree:
    """Read what can be read of both trees; raises only LimitExceeded, for more files than terms/limits.py allows.

    Args:
        catalog_dir: The folder with techniques, quantities, citations and so on.
        rules_dir: The folder with vocabulary, rules, profiles and so on.
        shelf: What is known of the files from before, closed by who gives it; left out, it is opened and closed here.
    """
    own = shelf or Shelf.of(catalog_dir, rules_dir)
    reader = _Reader(own)
    with collector_paused():
        files = [*reader.find("catalog", catalog_dir), *reader.find("rules", rules_dir)]
        _read_ahead([found for found in files if own.lacks(found.digest)], own)
        for found in files:
            reader.read(found)
    if shelf is None:
        own.close()
    return reader.tree()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Reading makes many small values and no circles; looking for circles among them took a fifth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@dataclass(frozen=True, slots=True)
class _Found:
    """One file of a tree, not read yet."""

    room: Room
    path: str
    content: bytes
    digest: str


def _read_ahead(files: list[_Found], shelf: Shelf) -> None:
    """Puts on the shelf what is right of many files, read by two; in the others there is something to complain of."""
    # As equal as halves can be: one kind of file takes longer than another, and they stand together.
    with beside(lambda: _read_apart(files[::2], Shelf(None)), things=len(files)) as told:
        _read_apart(files[1::2], shelf)
        if news := told():
            shelf.take(news)


def _read_apart(files: list[_Found], shelf: Shelf) -> bytes:
    reader = _Reader(shelf)
    for found in files:
        reader.read(found)
    return shelf.news()


class _Reader:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._located: dict[tuple[Kind, str], Located] = {}
        self._problems: list[Problem] = []
        self._refused: dict[Kind, set[str]] = {}
        self._unreadable: set[Kind] = set()

    def tree(self) -> Tree:
        return Tree(
            located=tuple(self._located.values()),
            problems=tuple(sorted(self._problems, key=lambda problem: problem.order)),
            refused={kind: frozenset(keys) for kind, keys in self._refused.items()},
            unreadable=frozenset(self._unreadable),
        )

    def find(self, root: str, folder: Path) -> Iterator[_Found]:
        """The files of one tree with their content; complains of what is missing and of what cannot be read."""
        if not folder.is_dir():
            what, expected = "the folder is missing", f"the {root} folder"
            self._problems.append(Problem("missing-folder", what, expected, at=Position(str(folder), 1, 1)))
            return
        rooms = [room for room in ROOMS if room.files.startswith(f"{root}/")]
        patterns = [(room.pattern, room) for room in rooms]
        seen: set[Kind] = set()
        for inner, file in yaml_files(folder):
            room = next((room for pattern, room in patterns if pattern.fullmatch(f"{root}/{inner}")), None)
            if room is None:
                self._refuse_stray(rooms, f"{root}/{inner}", Position(file, 1, 1))
                continue
            seen.add(room.kind)
            with self._refused_whole(room):
                content = content_of(file, file)
                yield _Found(room, file, content, digest_of(f"{root}/{inner}", content))
        for room in rooms:
            if room.required and room.kind not in seen:
                place = Position(str(folder / room.files.removeprefix(f"{root}/")), 1, 1)
                self._problems.append(Problem("missing-file", "the file is missing", "it in every tree", at=place))

    def read(self, found: _Found) -> None:
        """Take in what a file says, from the shelf or by reading it."""
        with self._refused_whole(found.room):
            if (said := self._shelf.said(found.digest)) is None:
                said = self._read(found.room, read_bytes(found.content, found.path), found.digest)
            text = Text(found.path, found.content.decode())
            for steps, key, body in said:
                self._put(Located(Entry(found.room.kind, key, body), text, tuple(steps), found.digest))

    @contextmanager
    def _refused_whole(self, room: Room) -> Iterator[None]:
        """A file of which nothing can be read: any thing of its kind may be missing."""
        try:
            yield
        except CurationError as error:
            self._problems.extend(error.problems)
            self._unreadable.add(room.kind)
        except KnockonError as error:
            self._problems.append(error.problem)
            self._unreadable.add(room.kind)

    def _refuse_stray(self, rooms: list[Room], path: str, at: Position) -> None:
        places = [room.files for room in rooms]
        fix = "name it .yaml" if path.endswith(".yml") else "move or remove it"
        self._problems.append(
            Problem("stray-file", "no kind of thing lives here", f"one of {', '.join(places)}", fix, at)
        )

    def _read(self, room: Room, document: Document, digest: str) -> list[Said]:
        """Every body of the file that has its shape; kept on the shelf when nothing in the file is wrong."""
        before = len(self._problems)
        said = [
            (steps, key, body)
            for steps, key, data in self._bodies(room, document)
            if (body := self._body(room, document, steps, key, data)) is not None
        ]
        self._problems.extend(
            problem for steps, key, body in said for problem in _name_problems(room, document, key, body)
        )
        if len(self._problems) == before:
            self._shelf.put(digest, said)
        return said

    def _bodies(self, room: Room, document: Document) -> Iterator[tuple[Steps, str, Json]]:
        """(steps, key, body) of everything in the file."""
        data = document.data
        match room.plan:
            case "mapping" if isinstance(data, dict):
                for key, body in data.items():
                    if room.keys is not None and not room.keys.accepts(key):
                        what, at = f"{key!r} cannot be used here", document.key_at(key)
                        self._problems.append(Problem(room.keys.code, what, room.keys.expected, at=at))
                    yield (key,), key, body
            case "list" if isinstance(data, list):
                yield from (((index,), _cell_key(body), body) for index, body in enumerate(data))
            case "one":
                yield (), _own_key(room, document, data), data
            case _:
                expected = "a mapping" if room.plan == "mapping" else "a list"
                at = document.at()
                self._problems.append(Problem("wrong-type", f"{shown(data)} stands here", expected, at=at))
                self._unreadable.add(room.kind)

    def _body(self, room: Room, document: Document, steps: Steps, key: str, data: Json) -> Body | None:
        # What is known from before needs no shapes, and loading them takes longer than looking it up.
        from knockon.curate.shaping import body_of  # noqa: PLC0415  see above

        try:
            return body_of(data, room.shape, document, steps=steps)
        except CurationError as error:
            self._problems.extend(error.problems)
            self._refused.setdefault(room.kind, set()).add(key)
            return None

    def _put(self, located: Located) -> None:
        kind, key = located.entry.kind, located.entry.key
        first = self._located.setdefault((kind, key), located)
        if first is not located:
            what, expected = f"{kind} {key!r} is given twice", f"it once; the first is at {first.key_at()}"
            self._problems.append(Problem("duplicate-id", what, expected, at=located.key_at()))


def _own_key(room: Room, document: Document, data: Json) -> str:
    """The key of a file that is one thing: its id or name, its file name when that is missing, or its kind."""
    if room.kind in ("axes", "vocabulary"):
        return room.kind
    stem = Path(document.path).stem
    named = (data.get("id") or data.get("name")) if isinstance(data, dict) else None
    return named if isinstance(named, str) else stem.partition("-")[0] if room.kind in ("couple", "diagnose") else stem


def _cell_key(body: Json) -> str:
    cell = body.get("cell") if isinstance(body, dict) else None
    return "/".join(map(str, cell)) if isinstance(cell, list) else ""


def _name_problems(room: Room, document: Document, key: str, body: Body) -> Iterator[Problem]:
    """Files are called after what is in them."""
    file = Path(document.path)
    match room.kind:
        case "technique":
            cells = body["cells"]
            home = str(cells[0][0]) if isinstance(cells, list) and isinstance(cells[0], list) else ""
            if file.stem != key:
                yield _misnamed("id", f"{key!r} stands in {file.name}", f"the file {key}.yaml", document.at("id"))
            if file.parent.name != home:
                where = f"the folder techniques/{home}"
                yield _misnamed("home", f"the home cell is in {home!r}", where, document.at("cells", 0, 0))
        case "profile" if file.stem != key:
            yield _misnamed("id", f"{key!r} stands in {file.name}", f"the file {key}.yaml", document.at("name"))
        case "couple" | "diagnose" if not file.stem.startswith(f"{key}-"):
            yield _misnamed("id", f"{key!r} stands in {file.name}", f"a file {key}-<slug>.yaml", document.at("id"))
        case "quantity" if body["of"] != file.stem:
            where = f"it in quantities/{body['of']}.yaml"
            yield _misnamed("home", f"the quantity is of {body['of']!r}", where, document.at(key, "of"))


def _misnamed(subject: str, what: str, expected: str, at: Position) -> Problem:
    return Problem(f"misplaced-{subject}", what, expected, "move the file, or change the text", at)
