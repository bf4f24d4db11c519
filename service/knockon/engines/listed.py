"""What the tables of all engines list: every spelling of a flag, and every text that a fact can be given."""

from collections.abc import Iterator

from knockon.engines.sglang.table import flag_table as sglang_table
from knockon.engines.table import Becomes, FlagTable
from knockon.engines.tgi.engine import flag_table as tgi_table
from knockon.engines.trtllm.engine import flag_table as trtllm_table
from knockon.engines.vllm.table import flag_table as vllm_table


def flags_listed() -> dict[str, frozenset[str]]:
    """The spellings of each engine's flags, by its name; those that are gone and the engine's other ones among them."""
    return {table.engine: frozenset(table.spellings) for table in _tables()}


def values_listed() -> dict[str, frozenset[str]]:
    """The texts in small letters that flags list as values of a fact; without facts whose values no flag lists."""
    found: dict[str, set[str]] = {}
    listing: set[str] = set()
    for table in _tables():
        for becomes, options in _told(table):
            if becomes.type == "text" and not becomes.fold:
                said = found.setdefault(becomes.fact, set())
                said.update(options, becomes.words, map(str, becomes.words.values()))
                if options:
                    listing.add(becomes.fact)
        for sets in (each for flag in table.flags() for each in (flag.sets, *flag.special.values())):
            for fact, value in sets.items():
                found.setdefault(fact, set()).add(str(value))
        for default in table.defaults:
            found.setdefault(default.fact, set()).add(str(default.value))
    return {fact: frozenset(each.casefold() for each in found[fact]) for fact in listing}


def _tables() -> tuple[FlagTable, ...]:
    return (vllm_table(), sglang_table(), trtllm_table(), tgi_table())


def _told(table: FlagTable) -> Iterator[tuple[Becomes, tuple[str, ...]]]:
    """What becomes a fact, with the values it can have."""
    for flag in (*table.flags(), *((table.settings,) if table.settings else ())):
        if flag.becomes:
            yield flag.becomes, flag.becomes.options or flag.options
        yield from ((becomes, becomes.options) for becomes in flag.keys.values())
    yield from ((variable.becomes, variable.becomes.options) for variable in table.environment.values())
