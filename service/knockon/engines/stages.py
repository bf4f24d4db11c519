"""The releases at which one command begins to be read in another way: a flag comes or goes, a default changes."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from knockon.engines.base import Given
from knockon.engines.dated import releases
from knockon.engines.flags import Read
from knockon.engines.release import release_of
from knockon.engines.release_facts import bounds_of
from knockon.engines.table import FlagTable


def stages_of(
    reads: Sequence[Read],
    environment: Iterable[Given],
    table: FlagTable,
    *,
    stated: Collection[str],
    turns: Iterable[str] = (),
) -> tuple[str, ...]:
    """The first release of each stage, oldest first; the first stage begins with the oldest release looked at.

    Args:
        reads: the flags of the command.
        environment: the variables set for it.
        table: the flags of the engine.
        stated: the facts that have no default any more, by name.
        turns: releases at which what the engine makes of the facts changes.
    """
    found = {table.looked_at[0], *bounds_of(table.engine), *_of_flags(reads, table), *turns}
    for default in table.defaults:
        if default.fact not in stated:
            found.update(bound for bound in (default.since, default.until) if bound is not None)
    for given in environment:
        variable = table.environment.get(given.name)
        if variable is not None and variable.until is not None:
            found.add(variable.until)
    oldest, newest = release_of(table.looked_at[0]), release_of(table.version)
    return tuple(sorted((one for one in found if oldest <= release_of(one) <= newest), key=release_of))


def _of_flags(reads: Sequence[Read], table: FlagTable) -> Iterator[str]:
    for flag in {read.flag.name: read.flag for read in reads}.values():
        if flag.until is not None:
            yield flag.until
        if flag.not_yet is not None:
            last = release_of(flag.not_yet)
            after = [one for one, _ in releases(table.engine) if release_of(one) > last]
            if after:
                yield min(after, key=release_of)
