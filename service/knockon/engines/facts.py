"""Turns what was read of a command into facts: flags, environment and files first, then the engine's own defaults."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from knockon.engines.base import Given, Refused, UnknownFlag
from knockon.engines.flags import Read, as_mapping, nearest
from knockon.engines.missing import why_missing
from knockon.engines.release import release_of, within
from knockon.engines.table import Becomes, Default, Flag, FlagTable
from knockon.engines.values import fact_value, is_outside, range_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact, Origin, OriginKind
from knockon.terms.place import Position
from knockon.terms.placed import place_of
from knockon.terms.words import Json, Scalar, Text

# Releases whose defaults are kept; people name a few dozen.
_RELEASES_MAX = 64
_EXPECTED = {"int": "a whole number", "number": "a number", "bool": "true or false", "text": "a word"}


def facts_of_reads(reads: Sequence[Read], table: FlagTable, *, version: str | None) -> dict[str, Fact]:
    """The facts that flags state, by name; of one flag the last read counts, of two flags for one fact the later.

    A value that the engine refuses states none.

    Args:
        reads: in the order in which they count, the last one strongest.
        table: the engine's flags.
        version: the release asked for; None for the newest known.

    Raises:
        IntakeError: a key inside a JSON value is not of its fact's type.
    """
    facts: dict[str, Fact] = {}
    last = as_mapping(reads)
    for read in reads:
        if last[read.flag.name] is not read:
            continue
        refused = _refused_facts(read, table, version)
        for name, value, inside in _stated(read, refused):
            kind: OriginKind = "file" if read.source else "flag"
            said = f"{_said(read)} {inside}".rstrip()
            facts[name] = Fact(name, value, Origin(kind, said, _place(read, inside)))
    return facts


def facts_of_environment(environment: Sequence[Given], table: FlagTable, *, version: str | None) -> dict[str, Fact]:
    """The facts that environment variables state, by name.

    A variable that says nothing of its type, or that this version no longer reads, states none.
    """
    facts: dict[str, Fact] = {}
    for given in environment:
        variable = table.environment.get(given.name)
        if variable is None or not within(version or table.version, since=None, until=variable.until):
            continue
        value = fact_value(variable.becomes, given.value)
        if value is not None:
            name = variable.becomes.fact
            facts[name] = Fact(name, value, Origin("env", f"environment {given.name}", given.at))
    return facts


def default_facts(
    known: Mapping[str, Fact], reads: Mapping[str, Read], table: FlagTable, *, version: str | None
) -> dict[str, Fact]:
    """The engine's defaults for facts that nothing else states, by name.

    Raises:
        IntakeError: `version` is no version.
    """
    facts: dict[str, Fact] = {}
    # A value the engine refuses is no reason to believe its default.
    refused = {fact for read in reads.values() for fact in _refused_facts(read, table, version)}
    for default, fact in _defaults_in(table, version):
        if default.fact in known or default.fact in refused or any(f"--{flag}" in reads for flag in default.unless):
            continue
        facts[default.fact] = fact
    return facts


def _defaults_in(table: FlagTable, version: str | None) -> tuple[tuple[Default, Fact], ...]:
    """The defaults that hold in a release, each with the fact it states."""
    held = table.default_facts.get(version)
    if held is None:
        asked, said = version or table.version, f"default of {_release(table, version)}"
        found = (one for one in table.defaults if within(asked, since=one.since, until=one.until))
        texts = ((one, f"{said}; {one.note}" if one.note else said) for one in found)
        held = tuple((one, Fact(one.fact, one.value, Origin("engine-default", text))) for one, text in texts)
        if len(table.default_facts) >= _RELEASES_MAX:
            table.default_facts.clear()
        table.default_facts[version] = held
    return held


def refusals(reads: Sequence[Read], table: FlagTable, *, version: str | None) -> Iterator[Refused]:
    """The flags and values that this version would not start with.

    The accepted values are those of the newest release known, so they are only held against that release.
    """
    asked = version or table.version
    is_newest = release_of(asked) == release_of(table.version)
    title = f"{table.title} {asked}"
    for read in reads:
        flag = read.flag
        missing = why_missing(flag, table, version=version)
        if missing is not None:
            yield Refused(flag.name, _shown(read.value), missing, read.at, is_missing=True)
        else:
            yield from _refused_values(read, title, is_newest=is_newest)
            if is_newest and not read.special and not is_outside(flag, read.value):
                yield from _unknown_keys(read, title)
    if is_newest:
        yield from _said_twice(reads, table, title)


def unknown_refused(unknown: Iterable[UnknownFlag], table: FlagTable, *, version: str | None) -> Iterator[Refused]:
    """The unknown flags that the engine refuses: those of the table's own release, where it was asked for.

    Of another release they may be flags that are not known here; words without a dash may be arguments of its class.
    """
    if version is None or release_of(version) != release_of(table.version):
        return
    title = f"{table.title} {version}"
    for one in unknown:
        if one.flag.startswith("-"):
            hint, zh_hint = ("", "")
            if one.suggestions:
                hint, zh_hint = f"; did you mean {one.suggestions[0]}?", f"；是否想写 {one.suggestions[0]}？"
            shown = _shown(one.flag)
            why = Text(f"{title} has no flag {shown}{hint}", f"{title} 没有 {shown} 参数{zh_hint}")
            yield Refused(shown, _shown(one.value or ""), why, one.at, is_unknown=True)


def version_notes(table: FlagTable, *, version: str | None) -> Iterator[Text]:
    """A note where the version lies outside the releases looked at, so that the nearest one stands in for it."""
    if version is None:
        return
    asked, newest = release_of(version), release_of(table.version)
    if asked[0] > newest[0]:
        yield Text(
            f"{table.title} {version} is newer than {table.version}, the newest known here; its flags and defaults"
            f" are taken to be those of {table.version}",
            f"{table.title} {version} 晚于此处已知的最新版本 {table.version}；其参数与默认值按 {table.version} 处理",
        )
    elif asked < release_of(table.oldest):
        yield Text(
            f"{table.title} {version} is older than {table.oldest}, the oldest looked at here; its flags and defaults"
            f" are taken to be those of {table.oldest}",
            f"{table.title} {version} 早于此处核对过的最旧版本 {table.oldest}；其参数与默认值按 {table.oldest} 处理",
        )


def _refused_facts(read: Read, table: FlagTable, version: str | None) -> frozenset[str]:
    """The facts that one read does not state, for the engine refuses its value; rarely any."""
    is_newest = release_of(version or table.version) == release_of(table.version)
    return frozenset(fact for one in _refused_values(read, table.title, is_newest=is_newest) for fact in one.facts)


def _refused_values(read: Read, title: str, *, is_newest: bool) -> Iterator[Refused]:
    """What the engine refuses of one value: its range, and for the release that the table was read from its options."""
    flag = read.flag
    if is_outside(flag, read.value):
        english, chinese = range_of(flag), range_of(flag, language="zh")
        why = Text(f"{flag.name} must be {english}", f"{flag.name} 的取值范围：{chinese}")
        yield Refused(flag.name, _shown(read.value), why, read.at, facts=_facts_of(flag))
    elif is_newest and not read.special:
        yield from _out_of_form(read)
        yield from _outside_options(read, title)


def _out_of_form(read: Read) -> Iterator[Refused]:
    """A text that has not the form its flag asks for."""
    flag, value = read.flag, read.value
    if flag.form is not None and isinstance(value, str) and not re.fullmatch(flag.pattern, value, re.DOTALL):
        why = Text(f"{flag.name} must {flag.form.en}", f"{flag.name} {flag.form.zh}")
        yield Refused(flag.name, _shown(value), why, read.at, facts=_facts_of(flag))


def _facts_of(flag: Flag) -> tuple[str, ...]:
    """Every fact that a flag may state."""
    own = (flag.becomes.fact,) if flag.becomes is not None else ()
    return (*own, *(becomes.fact for becomes in flag.keys.values()), *flag.sets)


def _unknown_keys(read: Read, title: str) -> Iterator[Refused]:
    """The keys of one JSON value that the flag has not."""
    if not read.flag.only or not isinstance(read.value, dict):
        return
    for key in read.value:
        if key.replace("-", "_") not in read.flag.only:
            near = nearest(key, read.flag.only)
            hint, zh_hint = (f"; did you mean {near[0]}?", f"；是否想写 {near[0]}？") if near else ("", "")
            shown = _shown(key)
            why = Text(
                f"{read.flag.name} has no key {shown} in {title}{hint}",
                f"{title} 的 {read.flag.name} 没有键 {shown}{zh_hint}",
            )
            yield Refused(read.flag.name, shown, why, _place(read, key))


def _said_twice(reads: Sequence[Read], table: FlagTable, title: str) -> Iterator[Refused]:
    """The pairs of settings that the engine does not take together; the second one is named."""
    for one, other in table.exclusive:
        first, second = _last_that_says(reads, one), _last_that_says(reads, other)
        if first is not None and second is not None:
            why = Text(f"{title} does not take {one} and {other} together", f"{title} 不接受同时给出 {one} 与 {other}")
            flag, _, key = other.partition(" ")
            yield Refused(flag, _shown(_at_path(second.value, key) if key else second.value), why, second.at)


def _last_that_says(reads: Sequence[Read], setting: str) -> Read | None:
    name, _, key = setting.partition(" ")
    said = [read for read in reads if read.flag.name == name and (not key or _at_path(read.value, key) is not None)]
    return said[-1] if said else None


def _outside_options(read: Read, title: str) -> Iterator[Refused]:
    """The values of one read that are not among the options of its flag, or of a key inside its JSON value."""
    flag = read.flag
    asked: list[tuple[str, Json, tuple[str, ...], tuple[str, ...]]] = [
        (flag.name, read.value, flag.options, _facts_of(flag))
    ]
    for path, becomes in flag.keys.items():
        inner = _at_path(read.value, path) if becomes.options else None
        said = None if inner is None else fact_value(becomes, inner)
        asked.append((f"{path} of {flag.name}", said, becomes.options, (becomes.fact,)))
        number = _at_path(read.value, path)
        if isinstance(number, (int, float)) and not isinstance(number, bool) and (why := _outside(becomes, number)):
            said_of = Text(f"{path} of {flag.name} {why.en}", f"{flag.name} 的 {path} {why.zh}")
            yield Refused(flag.name, _shown(number), said_of, _place(read, path), facts=(becomes.fact,))
    for name, value, options, facts in asked:
        for each in value if isinstance(value, list) else [value]:
            if options and each not in (None, True) and str(each) not in options:
                accepted = ", ".join(options)
                why = Text(f"{name} in {title} accepts {accepted}", f"{title} 的 {name} 只接受 {accepted}")
                yield Refused(flag.name, _shown(each), why, read.at, facts=facts)


def _outside(becomes: Becomes, number: float) -> Text | None:
    """What is wrong with a number that the engine does not accept for a key; None where it does."""
    least, most = becomes.minimum, becomes.maximum
    if least is not None and number < least:
        return Text(f"must be at least {least:g}", f"不得小于 {least:g}")
    if most is not None and number > most:
        return Text(f"must be at most {most:g}", f"不得大于 {most:g}")
    return None


def _place(read: Read, inside: str) -> Position | None:
    """Where a value inside a read stands: its own place in an options file that knows it, else that of the read."""
    return place_of(read.value, inside.partition(".")[0]) or read.at


def _said(read: Read) -> str:
    """Where a read was said, for people: "flag --max-model-len", "serve.yaml max-model-len"."""
    if not read.source:
        return f"flag {read.flag.name}"
    return f"{read.source} {read.flag.name.removeprefix('--')}" if read.flag.name.startswith("--") else read.source


def _stated(read: Read, refused: AbstractSet[str]) -> Iterator[tuple[str, Scalar, str]]:
    """(fact, value, key inside the flag's value) of everything one read states; nothing for the `refused` facts."""
    flag, value = read.flag, read.value
    if read.special:
        yield from ((name, said, "") for name, said in flag.special[read.special].items())
        return
    if flag.becomes is not None and value is not None and flag.becomes.fact not in refused:
        yield from _one(flag, flag.becomes, value, inside="", at=read.at)
    for path, becomes in flag.keys.items():
        inner = _at_path(value, path)
        if inner is not None and becomes.fact not in refused:
            yield from _one(flag, becomes, inner, inside=path, at=_place(read, path))
    if value is not None and value is not False:
        yield from ((name, said, "") for name, said in flag.sets.items() if name not in refused)


def _one(
    flag: Flag, becomes: Becomes, value: Json, *, inside: str, at: Position | None
) -> Iterator[tuple[str, Scalar, str]]:
    said = fact_value(becomes, value)
    if said is not None:
        yield becomes.fact, said, inside
    elif inside and not becomes.fold:
        raise IntakeError(
            Problem(
                code="wrong-value",
                what=f"{inside} of {flag.name} cannot be {_shown(value)}",
                expected=_EXPECTED[becomes.type],
                at=at,
            )
        )


def _at_path(value: Json, path: str) -> Json:
    for key in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _release(table: FlagTable, version: str | None) -> str:
    if version is None:
        return f"{table.title} {table.version} (no version given; the newest known)"
    if release_of(version) > release_of(table.version):
        return f"{table.title} {table.version} (the newest known; {version} is newer)"
    return f"{table.title} {version}"


def _shown(value: Json) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
