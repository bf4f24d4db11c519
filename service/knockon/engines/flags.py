"""Reads the words after an engine's program against its table of flags, as the engine's own parser would.

Known flags become values, unknown ones are kept with their nearest neighbours, and the rest are the positionals.
What the values mean as facts is facts.py.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knockon.engines.base import UnknownFlag
from knockon.engines.table import Flag, FlagTable
from knockon.engines.values import loose_value, truth_of, value_of, wrong_value
from knockon.terms.argument import Argument
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.likeness import shares_enough
from knockon.terms.limits import COMMAND_ARGUMENTS_MAX, SUGGESTIONS_MAX
from knockon.terms.place import Position
from knockon.terms.placed import place_in
from knockon.terms.words import Json, JsonObject, Text

# A negative number is a value, not a flag (argparse's own rule, where no flag looks like a number).
_NEGATIVE_NUMBER = re.compile(r"-[0-9]+|-[0-9]*\.[0-9]+")
# An argument of the engine's Python class, as reports of its use write it.
_ASSIGNMENT = re.compile(r"([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\s*=\s*([^=].*)")
# Under this likeness (0 to 100) a flag is another one, not a misspelled one.
_LIKENESS_MIN = 70


@dataclass(frozen=True, slots=True)
class Read:
    """One flag with its value, and where both were said."""

    flag: Flag
    value: Json
    at: Position | None
    source: str = ""
    """The path of the options file it was said in; empty for the command line."""
    special: str = ""
    """The word, where it is one of the flag's special ones; `value` is then that word."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a command line came apart into; `reads` in order, a later one of the same flag wins."""

    reads: tuple[Read, ...]
    positionals: tuple[Argument, ...]
    unknown: tuple[UnknownFlag, ...]
    notes: tuple[Text, ...]


def read_flags(arguments: Sequence[Argument], table: FlagTable) -> Taken:
    """Take the words after the program apart.

    Raises:
        IntakeError: a value that is not of its flag's type, a flag without its value.
        LimitExceeded: more words than COMMAND_ARGUMENTS_MAX.
    """
    if len(arguments) > COMMAND_ARGUMENTS_MAX:
        raise LimitExceeded("the number of words of the command", limit=COMMAND_ARGUMENTS_MAX, found=len(arguments))
    walk = _Walk(arguments, table)
    while walk.index < len(arguments):
        walk.step()
    reads = (*walk.reads, *walk.dotted_reads())
    return Taken(reads, tuple(walk.positionals), tuple(walk.unknown), (*walk.notes, *_repeated(reads)))


def read_settings(settings: JsonObject, table: FlagTable, *, path: str) -> Taken:
    """Take an options file apart whose keys are the flags' names without the leading dashes.

    Raises:
        IntakeError: a value that is not of its flag's type.
    """
    reads: list[Read] = []
    unknown: list[UnknownFlag] = []
    for key, value in settings.items():
        at = place_in(settings, key)
        found = find_flag(f"--{key.replace('_', '-')}", table)
        if isinstance(found, tuple):
            flag, turns_on = found
            setting = _setting(flag, value, table, where=f"{path}, {key}", at=at)
            if setting is not None:
                is_off = isinstance(setting, bool) and not turns_on
                reads.append(Read(flag, not setting if is_off else setting, at, source=path))
        else:
            unknown.append(UnknownFlag(key, at, found.suggestions, str(value)))
    return Taken(tuple(reads), (), tuple(unknown), ())


def find_flag(spelling: str, table: FlagTable) -> tuple[Flag, bool] | UnknownFlag:
    """The flag a spelling stands for and whether it turns it on; an UnknownFlag where none or several match."""
    forms, name = table.forms, spelling
    if forms.underscores and name.startswith("--"):
        name = name.replace("_", "-")
    exact = table.spellings.get(name)
    if exact is not None:
        return exact
    if forms.abbreviations and name.startswith("--") and len(name) > 2:
        beginning = {
            (flag.name, turns_on): (flag, turns_on, known)
            for known, (flag, turns_on) in table.spellings.items()
            if known.startswith(name) and flag.until is None
        }
        if len(beginning) == 1:
            flag, turns_on, _ = next(iter(beginning.values()))
            return flag, turns_on
        if beginning:
            return UnknownFlag(
                spelling, suggestions=tuple(sorted(known for *_, known in beginning.values()))[:SUGGESTIONS_MAX]
            )
    return UnknownFlag(spelling, suggestions=nearest(name, table.spellings))


class _Walk:
    """The state of one reading: where we are, and what was found so far."""

    def __init__(self, arguments: Sequence[Argument], table: FlagTable) -> None:
        self.arguments = arguments
        self.table = table
        self.index = 0
        self.reads: list[Read] = []
        self.positionals: list[Argument] = []
        self.unknown: list[UnknownFlag] = []
        self.notes: list[Text] = []
        self._dotted: dict[str, tuple[Flag, dict[str, Json], Position | None]] = {}

    def step(self) -> None:
        """Take the next word, with the words that belong to it."""
        word = self.arguments[self.index]
        self.index += 1
        if word.text == "--":
            self.positionals += self.arguments[self.index :]
            self.index = len(self.arguments)
        elif _is_flag(word.text):
            self._flag(word)
        elif not self._assignment(word):
            self.positionals.append(word)

    def _flag(self, word: Argument) -> None:
        name, equals, inline = word.text.partition("=")
        rest = Argument(inline, word.at and word.at.right(len(name) + 1)) if equals else None
        if self.table.forms.dotted and "." in name and self._dotted_flag(name, word, rest):
            return
        found = find_flag(name, self.table)
        if isinstance(found, UnknownFlag) and not equals and _is_glued(name, self.table):
            # `-n2`: a one-letter flag with its value stuck to it.
            found, rest = self.table.spellings[name[:2]], Argument(name[2:], word.at and word.at.right(2))
        if isinstance(found, UnknownFlag):
            self._unknown(found, word, rest)
            return
        flag, turns_on = found
        if flag.type in ("switch", "bool"):
            self._switch(flag, word, rest, turns_on=turns_on)
        elif flag.many in ("+", "*"):
            words = [rest] if rest else self._words()
            if not words and flag.many == "+":
                raise _no_value(flag, word)
            self._add(flag, [self._value(flag, each) for each in words], word)
        elif flag.type == "optional-text" and rest is None and not self._next_is_value():
            self._add(flag, True, word)
        else:
            one = rest or self._next(flag, word)
            special = one.text.lower() if one.text.lower() in flag.special else ""
            self.reads.append(Read(flag, special or self._value(flag, one), word.at, special=special))

    def _assignment(self, word: Argument) -> bool:
        """Take `tensor_parallel_size=8`, which is how the engine's Python class takes the flag; false for no such."""
        match = _ASSIGNMENT.fullmatch(word.text)
        if match is None:
            return False
        spelling = "--" + match[1].replace("_", "-")
        known = self.table.spellings.get(spelling)
        if known is None:
            # The engine's class may have it, this table has not; the first free word is the model, whatever it holds.
            if self.positionals:
                near = nearest(spelling, self.table.spellings)
                self._unknown(UnknownFlag(match[1], suggestions=near), word, Argument(match[2]))
            return bool(self.positionals)
        said = match[2].strip().strip("'\"")
        told = Text(f"{word.text} is read as {spelling} {said}", f"{word.text} 读作 {spelling} {said}")
        if said in ("", "None") or known[0].type in ("json", "optional-text") or known[0].many:
            return False
        count = len(self.notes)
        self._flag(Argument(f"{spelling}={said}", word.at))
        self.notes[count:] = [told]
        return True

    def _switch(self, flag: Flag, word: Argument, rest: Argument | None, *, turns_on: bool) -> None:
        said = rest
        if said is None and self._next_is_value() and self.arguments[self.index].text.lower() in ("true", "false"):
            said = self.arguments[self.index]
            self.index += 1
        if said is None:
            self._add(flag, turns_on, word)
            return
        truth = truth_of(said.text)
        if truth is None:
            raise wrong_value(flag, said)
        self.notes.append(
            Text(
                f"{flag.name} takes no value in {self.table.title} {self.table.version}; it is read as {truth}",
                f"在 {self.table.title} {self.table.version} 中 {flag.name} 不带值；此处读作 {truth}",
            )
        )
        self._add(flag, truth == turns_on, word)

    def _dotted_flag(self, name: str, word: Argument, rest: Argument | None) -> bool:
        """Take `--json-flag.key value`; false when the part before the dot is no JSON flag."""
        head, *path = name.split(".")
        found = find_flag(head, self.table)
        if isinstance(found, UnknownFlag) or found[0].type not in ("json", "json-or-text") or "" in path:
            return False
        flag = found[0]
        if rest is None:
            if self.index >= len(self.arguments):
                raise _no_value(flag, word)
            rest = self.arguments[self.index]
            self.index += 1
        value = loose_value(rest.text, suffixes=self.table.forms.suffixes)
        if path[-1].endswith("+"):
            path[-1] = path[-1][:-1]
            value = list(rest.text.split(","))
        _, whole, _ = self._dotted.setdefault(head, (flag, {}, word.at))
        _put(whole, path, value)
        return True

    def dotted_reads(self) -> list[Read]:
        """The dotted keys gathered into one JSON value per flag as it was spelled; they come after everything else."""
        return [Read(flag, whole, at) for flag, whole, at in self._dotted.values()]

    def _unknown(self, unknown: UnknownFlag, word: Argument, rest: Argument | None) -> None:
        """Keep an unknown flag. The words after it are taken for its values, but a first model-like word is not."""
        values = [rest.text] if rest is not None else [each.text for each in self._words_of_unknown()]
        self.unknown.append(
            UnknownFlag(unknown.flag, word.at, unknown.suggestions, " ".join(values) if values else None)
        )

    def _words_of_unknown(self) -> list[Argument]:
        if not self._next_is_value():
            return []
        if self.positionals:
            return self._words()
        return [] if "/" in self.arguments[self.index].text else [self._next_word()]

    def _add(self, flag: Flag, value: Json, word: Argument) -> None:
        self.reads.append(Read(flag, value, word.at))

    def _value(self, flag: Flag, word: Argument) -> Json:
        return value_of(flag, word, suffixes=self.table.forms.suffixes)

    def _next_is_value(self) -> bool:
        return self.index < len(self.arguments) and not _is_flag(self.arguments[self.index].text)

    def _next_word(self) -> Argument:
        self.index += 1
        return self.arguments[self.index - 1]

    def _next(self, flag: Flag, word: Argument) -> Argument:
        if not self._next_is_value():
            raise _no_value(flag, word)
        return self._next_word()

    def _words(self) -> list[Argument]:
        words = []
        while self._next_is_value():
            words.append(self._next_word())
        return words


def _is_flag(text: str) -> bool:
    return len(text) > 1 and text.startswith("-") and not _NEGATIVE_NUMBER.fullmatch(text)


def _is_glued(name: str, table: FlagTable) -> bool:
    flag = table.spellings.get(name[:2])
    return not name.startswith("--") and len(name) > 2 and flag is not None and flag[0].type not in ("switch", "bool")


def _no_value(flag: Flag, word: Argument) -> IntakeError:
    return IntakeError(
        Problem(
            code="missing-value",
            what=f"{word.text} has no value",
            expected="a value after it",
            fix="add the value, or remove the flag",
            at=word.at,
        )
    )


def _put(whole: dict[str, Json], path: Sequence[str], value: Json) -> None:
    """Set a nested key; what was there and is no object gives way, two lists are joined."""
    for key in path[:-1]:
        inner = whole.get(key)
        if not isinstance(inner, dict):
            inner = {}
            whole[key] = inner
        whole = inner
    held = whole.get(path[-1])
    whole[path[-1]] = [*held, *value] if isinstance(held, list) and isinstance(value, list) else value


def _setting(flag: Flag, value: Json, table: FlagTable, *, where: str, at: Position | None) -> Json:
    """A value of an options file as the flag takes it; None where it states nothing."""
    if value is None:
        return None
    if isinstance(value, (list, dict)) and flag.type in ("json", "json-or-text"):
        return value
    words = [Argument(_written(each)) for each in (value if isinstance(value, list) else [value])]
    try:
        values = [value_of(flag, word, suffixes=table.forms.suffixes) for word in words]
    except IntakeError as error:
        told = error.problem
        what = told.what if at is not None else f"{where}: {told.what}"
        raise IntakeError(Problem(told.code, what, told.expected, told.fix, at)) from error
    return values if flag.many else values[0] if values else None


def _written(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _repeated(reads: Sequence[Read]) -> list[Text]:
    """A note for each flag that is given more than once with different values and does not collect them."""
    seen: dict[str, list[Json]] = {}
    for read in reads:
        if read.flag.many != "append":
            seen.setdefault(read.flag.name, []).append(read.value)
    return [
        Text(
            f"{name} is given {len(values)} times; the last one counts",
            f"{name} 出现了 {len(values)} 次，以最后一次为准",
        )
        for name, values in seen.items()
        if any(value != values[-1] for value in values)
    ]


def nearest(name: str, known: Iterable[str], *, likeness_min: int = _LIKENESS_MIN) -> tuple[str, ...]:
    """The names of `known` that are most like `name`, best first, at most SUGGESTIONS_MAX; likeness is 0 to 100."""
    # rapidfuzz costs 8 ms to import, and most commands have no unknown flag.
    from rapidfuzz import fuzz, process  # noqa: PLC0415

    scored = process.extract(name, list(known), scorer=fuzz.ratio, limit=None, score_cutoff=likeness_min)
    return tuple(spelling for spelling, _, _ in scored if shares_enough(name, spelling))[:SUGGESTIONS_MAX]


def as_mapping(reads: Sequence[Read]) -> Mapping[str, Read]:
    """The read that counts for each flag, by its name: the last one."""
    return {read.flag.name: read for read in reads}
