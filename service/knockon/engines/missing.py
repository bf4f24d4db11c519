"""Why a release has not a flag: since which release it is gone, and what to say instead; or which one it came with."""

from knockon.engines.dated import releases
from knockon.engines.release import release_of, within
from knockon.engines.table import Flag, FlagTable
from knockon.terms.words import Text


def why_missing(flag: Flag, table: FlagTable, *, version: str | None) -> Text | None:
    """What to tell about a flag that the asked release has not; None where it has it, or nobody can tell.

    Args:
        flag: a flag of the table.
        table: the flags of the engine.
        version: the release asked for; None is the newest one known.
    """
    asked = version or table.version
    if flag.until is not None and not within(asked, since=None, until=flag.until):
        why = _gone(flag, flag.until, table)
    elif version is not None and flag.not_yet is not None and release_of(version) <= release_of(flag.not_yet):
        why = _to_come(flag.not_yet, table)
    else:
        return None
    title = f"{table.title} {asked}"
    return Text(f"{title} has no flag {flag.name}: {why.en}", f"{title} 没有 {flag.name} 参数：{why.zh}")


def _gone(flag: Flag, until: str, table: FlagTable) -> Text:
    last = _neighbour(until, table, step=-1)
    en, zh = (f"gone since {until} (last in {last})", f"自 {until} 起移除（最后见于 {last}）")
    if last is None:
        # Releases between this one and the last that had it were not looked at.
        had = max((one for one in table.looked_at if within(one, since=None, until=until)), key=release_of, default="")
        en = f"gone by {until}" + (f", {had} has it" if had else "")
        zh = f"至迟自 {until} 起移除" + (f"，{had} 仍有" if had else "")
    if flag.instead:
        en, zh = f"{en}; use {flag.instead}", f"{zh}；改用 {flag.instead}"
    return Text(en, zh)


def _to_come(not_yet: str, table: FlagTable) -> Text:
    first = _neighbour(not_yet, table, step=1)
    if first is None:
        return Text(f"it came after {not_yet}", f"{not_yet} 之后才有")
    return Text(f"new in {first}", f"{first} 新增")


def _neighbour(version: str, table: FlagTable, *, step: int) -> str | None:
    """The release right after or before one, where both were looked at; None where there may be others between."""
    known = [release_of(one) for one, _ in releases(table.engine)]
    looked_at = {release_of(one): one for one in table.looked_at}
    here = release_of(version)
    if here not in known or here not in looked_at:
        return None
    place = known.index(here) + step
    return looked_at.get(known[place]) if 0 <= place < len(known) else None
