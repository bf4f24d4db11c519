"""The flags of SGLang."""

from pathlib import Path

from knockon.engines.table import FlagTable, load_table


def flag_table() -> FlagTable:
    """The table of this folder."""
    return load_table(Path(__file__).with_name("flags.yaml"))
