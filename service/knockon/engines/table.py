"""The table of an engine's flags, and how it is read from the member's flags.yaml.

The table is written by us and shipped, so a mistake in it is our fault: it fails with KeyError or ValueError,
never with an intake error, and the tests read every table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from knockon.engines.written import shipped_yaml
from knockon.terms.fact import Fact
from knockon.terms.words import Scalar, Text

ValueType = Literal["int", "number", "size", "text", "json", "json-or-text", "optional-text", "switch", "bool"]
"""`switch` has a `--no-` form, `bool` has not; `size` takes the engine's suffixes; `optional-text` may stand alone."""

Fold = Literal["", "max", "min", "count", "joined", "truth"]
"""How a list, a map or a JSON value becomes one fact: `truth` is whether it is anything but null, false or zero."""


@dataclass(frozen=True, slots=True)
class Becomes:
    """How one value becomes one fact."""

    fact: str
    type: Literal["int", "number", "text", "bool"]
    times: float = 1
    """Multiplies a number on its way, for flags in GiB."""
    words: Mapping[str, Scalar] = field(default_factory=dict)
    """Values that are written in several ways, to the one the facts use."""
    fold: Fold = ""
    inverse: bool = False
    """The fact is the opposite of the flag: `--disable-radix-cache` and `enable_prefix_caching`."""
    upper: bool = False
    """The engine takes the word in any case and knows it in upper case."""
    options: tuple[str, ...] = ()
    """The values the newest release known accepts; empty where any will do."""
    minimum: float | None = None
    """The smallest number the engine accepts for a key inside a JSON value."""
    maximum: float | None = None
    """The largest one."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag of an engine."""

    name: str
    type: ValueType
    aliases: tuple[str, ...] = ()
    many: Literal["", "+", "*", "append"] = ""
    """`+` and `*` take all words up to the next flag, `append` collects repeated flags."""
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    """The number under the smallest one: for shares that may not be zero."""
    options: tuple[str, ...] = ()
    """The values the newest release known accepts; empty where any will do."""
    pattern: str = ""
    """A regular expression for all of a text that the newest release known accepts; empty where any will do."""
    form: Text | None = None
    """What `pattern` asks for, after "must"."""
    becomes: Becomes | None = None
    keys: Mapping[str, Becomes] = field(default_factory=dict)
    """Facts inside a JSON value, by dotted path."""
    only: tuple[str, ...] = ()
    """The keys of the JSON value that the newest release known has; empty where any will do."""
    sets: Mapping[str, Scalar] = field(default_factory=dict)
    """Facts that the flag's mere presence states, by name; a switch that is turned off states none."""
    special: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    """Words outside the type, and the facts they state instead: `auto`, `-1`."""
    until: str | None = None
    """The first release looked at that no longer has the flag; None when the newest still has it."""
    not_yet: str | None = None
    """The newest release looked at that does not have the flag yet; None when the oldest has it."""
    instead: str = ""
    """What to write where it is gone; empty where nothing takes its place."""
    file: bool = False
    """The value is the path of an options file."""


@dataclass(frozen=True, slots=True)
class Default:
    """What the engine does when nobody says; `note` says on what else it depends."""

    fact: str
    value: Scalar
    since: str | None = None
    until: str | None = None
    unless: tuple[str, ...] = ()
    """Flags whose presence makes the default untold."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable; `until` is the first release looked at that no longer reads it."""

    becomes: Becomes
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Forms:
    """The ways a command line of this engine may spell its flags."""

    underscores: bool = False
    """`--max_model_len` is `--max-model-len`."""
    abbreviations: bool = False
    """A unique beginning of a long flag stands for it."""
    dotted: bool = False
    """`--json-flag.key value` sets one key of a JSON flag."""
    pairs: bool = False
    """A switch `--enable-x` is turned off by `--disable-x` too, and the reverse."""
    suffixes: Mapping[str, int] = field(default_factory=dict)
    """Multipliers of `size` values; those that are powers of two take whole numbers only."""


@dataclass(frozen=True, slots=True)
class FlagTable:
    """All flags of one engine as of `version`, with its environment variables and defaults."""

    engine: str
    title: str
    version: str
    oldest: str
    """The oldest release looked at."""
    looked_at: tuple[str, ...]
    """Every release looked at, oldest first, `version` the last."""
    forms: Forms
    spellings: Mapping[str, tuple[Flag, bool]]
    """Every accepted spelling; the bool is false where the spelling turns a switch off."""
    environment: Mapping[str, Variable]
    defaults: tuple[Default, ...]
    exclusive: tuple[tuple[str, str], ...] = ()
    """Pairs the engine does not take together; each side is a flag, or a flag and a dotted key of its JSON value."""
    settings: Flag | None = None
    """An options file whose keys are not the flags' names, as one JSON value."""
    default_facts: dict[str | None, tuple[tuple[Default, Fact], ...]] = field(default_factory=dict, compare=False)
    """The defaults of the releases asked for so far, as facts: every command asks for the same few."""

    def flags(self) -> Iterator[Flag]:
        """Every flag once, by name."""
        named = {flag.name: flag for flag, _ in self.spellings.values()}
        yield from (named[name] for name in sorted(named))


@cache
def load_table(path: Path) -> FlagTable:
    """The table of a member's flags.yaml; read once per process, it never changes while we run."""
    raw: dict[str, Any] = shipped_yaml(path)
    forms = Forms(**raw["forms"])
    not_yet = {name: release for release, names in raw.get("not_yet", {}).items() for name in names}
    entries = dict(raw["flags"])
    for type_and_many, names in raw["others"].items():
        kind, _, many = type_and_many.partition(" ")
        entries.update({name: {"type": kind, "many": many} for name in names})
    instead: Mapping[str, str] = raw.get("instead", {})
    strays = (not_yet.keys() | instead.keys()) - entries.keys()
    if strays:
        raise ValueError(f"not_yet or instead names what is no flag: {', '.join(sorted(strays))}")
    flags = [
        replace(_flag(name, entry), not_yet=not_yet.get(name), instead=instead.get(name, ""))
        for name, entry in entries.items()
    ]
    spellings: dict[str, tuple[Flag, bool]] = {}
    for flag in flags:
        spellings.update(dict.fromkeys((flag.name, *flag.aliases), (flag, True)))
    for flag in flags:
        for spelling in _negations(flag, pairs=forms.pairs):
            spellings.setdefault(spelling, (flag, False))
    return FlagTable(
        engine=raw["engine"],
        title=raw["title"],
        version=raw["version"],
        oldest=raw["looked_at"][0],
        looked_at=(*raw["looked_at"], raw["version"]),
        forms=forms,
        spellings=spellings,
        environment={
            name: Variable(_becomes(entry), entry.get("until")) for name, entry in raw.get("environment", {}).items()
        },
        defaults=tuple(_default(fact, entry) for fact, entries in raw["defaults"].items() for entry in _list(entries)),
        exclusive=tuple((one, other) for one, other in raw.get("exclusive", ())),
        settings=_flag("the options file", raw["settings"]) if "settings" in raw else None,
    )


def _flag(name: str, entry: Mapping[str, Any]) -> Flag:
    kind = entry["type"]
    if kind not in get_args(ValueType):
        raise ValueError(f"{name}: no value type is called {kind!r}")
    return Flag(
        name=name,
        type=kind,
        aliases=tuple(_list(entry.get("aliases", ()))),
        many=entry.get("many", ""),
        minimum=entry.get("min"),
        maximum=entry.get("max"),
        above=entry.get("above"),
        options=tuple(str(option) for option in entry.get("options", ())),
        pattern=entry.get("pattern", ""),
        form=Text(**entry["form"]) if "form" in entry else None,
        becomes=_becomes(entry) if "fact" in entry else None,
        keys={path: _becomes(_fact_entry(key)) for path, key in entry.get("keys", {}).items()},
        only=tuple(entry.get("only", ())),
        sets=entry.get("sets", {}),
        special={str(word): facts for word, facts in entry.get("special", {}).items()},
        until=entry.get("until"),
        file=entry.get("file", False),
    )


def _fact_entry(entry: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """A key's entry; a bare name is short for a text fact."""
    return {"fact": entry, "type": "text"} if isinstance(entry, str) else entry


# What a flag's value type says of its fact, unless a fold says otherwise.
_FACT_TYPES: Mapping[str, Literal["int", "number", "text", "bool"]] = {
    "int": "int",
    "size": "int",
    "number": "number",
    "switch": "bool",
    "bool": "bool",
    "text": "text",
    "json": "text",
    "json-or-text": "text",
    "optional-text": "text",
}
_FOLD_TYPES: Mapping[str, Literal["int", "number", "text", "bool"]] = {
    "count": "int",
    "joined": "text",
    "truth": "bool",
}


def _becomes(entry: Mapping[str, Any]) -> Becomes:
    fold: Fold = entry.get("fold", "")
    return Becomes(
        fact=entry["fact"],
        type=entry.get("as") or _FOLD_TYPES.get(fold) or _FACT_TYPES[entry["type"]],
        times=entry.get("times", 1),
        words={str(word): value for word, value in entry.get("words", {}).items()},
        fold=fold,
        inverse=entry.get("inverse", False),
        upper=entry.get("upper", False),
        options=tuple(str(option) for option in entry.get("options", ())),
        minimum=entry.get("min"),
        maximum=entry.get("max"),
    )


def _default(fact: str, entry: Any) -> Default:
    if not isinstance(entry, dict):
        return Default(fact, entry)
    return Default(
        fact,
        entry["value"],
        since=entry.get("since"),
        until=entry.get("until"),
        unless=tuple(_list(entry.get("unless", ()))),
        note=entry.get("note", ""),
    )


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _negations(flag: Flag, *, pairs: bool) -> Iterator[str]:
    """The spellings that turn a switch off; a flag that really has such a name keeps it."""
    if flag.type != "switch":
        return
    for name in (flag.name, *flag.aliases):
        if not name.startswith("--"):
            continue
        yield f"--no-{name[2:]}"
        for here, there in (("--enable-", "--disable-"), ("--disable-", "--enable-")):
            if pairs and name.startswith(here):
                yield there + name.removeprefix(here)
