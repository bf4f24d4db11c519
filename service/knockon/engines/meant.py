"""Which facts a flag or a variable states, for callers that have no command: only its name, or its name and value."""

import json
from collections.abc import Iterable
from pathlib import Path

from knockon.engines.base import Given, UnknownFlag
from knockon.engines.facts import facts_of_environment, facts_of_reads
from knockon.engines.flags import find_flag, read_settings
from knockon.engines.table import FlagTable, load_table
from knockon.engines.values import truth_of
from knockon.terms.limits import SUGGESTIONS_MAX
from knockon.terms.words import Json, Scalar


def facts_set_by(engine: str, flag: str) -> frozenset[str]:
    """The facts that a flag of an engine may state, by any of its spellings; none for a flag that is not known."""
    spelled = flag.partition("=")[0]
    # `--json-flag.key` sets one key of the value; which others the rest of it sets is not known either.
    whole = spelled.partition(".")[0] if spelled.startswith("--") else spelled
    spellings = _table(engine).spellings
    found = spellings.get(whole) or spellings.get("--" + whole[2:].replace("_", "-"))
    if found is None:
        return frozenset()
    known = found[0]
    becomes = (known.becomes, *known.keys.values())
    special = (name for facts in known.special.values() for name in facts)
    return frozenset((*(each.fact for each in becomes if each), *known.sets, *special))


def facts_stated_by(engine: str, name: str, value: Json, *, version: str | None = None) -> dict[str, Scalar]:
    """The facts that one setting states, by name: `tp`, `--tp-size`, `tensor_parallel_size`, a variable's name.

    None where the engine has no such setting, or it states no fact.

    Raises:
        IntakeError: the value is not of the setting's type.
    """
    table = _table(engine)
    if name in table.environment:
        said = facts_of_environment([Given(name, str(value), None)], table, version=version)
        return {fact.name: fact.value for fact in said.values()}
    taken = read_settings({spelled_out(table, name): value}, table, path="")
    return {fact.name: fact.value for fact in facts_of_reads(taken.reads, table, version=version).values()}


def words_for(engine: str, name: str, value: Json) -> tuple[str, ...] | None:
    """The words of a command that put a setting into force; None where the engine has none of that name.

    A variable becomes `NAME=value`, which stands in front of a command. What is null, and a switch that is off and has
    no word for it, needs no words.
    """
    table = _table(engine)
    if name in table.environment:
        return (f"{name}={_text(value)}",)
    spelling = f"--{spelled_out(table, name)}"
    found = find_flag(spelling, table)
    if isinstance(found, UnknownFlag):
        return None
    flag, turns_on = found
    truth = truth_of(_text(value)) if flag.type in ("switch", "bool") else None
    if value is None:
        return ()
    if truth is None:
        values = value if flag.many and isinstance(value, list) else [value]
        return (spelling, *(_text(each) for each in values)) if values != [""] else (spelling,)
    wanted = truth == turns_on
    word = next((known for known, (other, on) in table.spellings.items() if other is flag and on == wanted), None)
    return (word,) if word is not None else ()


def flags_of_others(engine: str, flag: str, *, others: Iterable[str]) -> tuple[str, ...]:
    """The flags of an engine that state what `flag` states to another one: `--tp-size` beside vLLM."""
    facts = frozenset[str]().union(*(facts_set_by(other, flag) for other in others if other != engine))
    own = {known.name: known.becomes for known, _ in _table(engine).spellings.values() if known.until is None}
    return tuple(name for name, becomes in own.items() if becomes and becomes.fact in facts)[:SUGGESTIONS_MAX]


def settings_like(engine: str, name: str) -> tuple[str, ...]:
    """The settings of an engine most like a name that none of them has, best first, spelled as its keys are."""
    table = _table(engine)
    found = find_flag(f"--{spelled_out(table, name)}", table)
    near = found.suggestions if isinstance(found, UnknownFlag) else ()
    return tuple(each.removeprefix("--").replace("-", "_") if each.startswith("--") else each for each in near)


def spelled_out(table: FlagTable, name: str) -> str:
    """The key of an options file that a setting's name stands for: `--tp` and `tp` are `-tp` to vLLM."""
    bare = name.strip().lstrip("-").replace(" ", "-")
    short = table.spellings.get(f"-{bare}")
    is_long = any(f"--{each}" in table.spellings for each in (bare, bare.replace("_", "-"), bare.replace("-", "_")))
    if short is not None and not is_long:
        return short[0].name.lstrip("-")
    return bare if f"--{bare}" in table.spellings else bare.replace("_", "-")


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value)


def _table(engine: str) -> FlagTable:
    return load_table(Path(__file__).parent / engine / "flags.yaml")
