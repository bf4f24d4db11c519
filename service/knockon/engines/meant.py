"""Which facts a flag may state, for callers that know that a flag is there but not its value."""

from pathlib import Path

from knockon.engines.table import load_table


def facts_set_by(engine: str, flag: str) -> frozenset[str]:
    """The facts that a flag of an engine may state, by any of its spellings; none for a flag that is not known."""
    file = Path(__file__).parent / engine / "flags.yaml"
    spelled = flag.partition("=")[0]
    # `--json-flag.key` sets one key of the value; which others the rest of it sets is not known either.
    whole = spelled.partition(".")[0] if spelled.startswith("--") else spelled
    spellings = load_table(file).spellings
    found = spellings.get(whole) or spellings.get("--" + whole[2:].replace("_", "-"))
    if found is None:
        return frozenset()
    known = found[0]
    becomes = (known.becomes, *known.keys.values())
    special = (name for facts in known.special.values() for name in facts)
    return frozenset((*(each.fact for each in becomes if each), *known.sets, *special))
