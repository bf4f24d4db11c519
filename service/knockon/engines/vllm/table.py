"""The flags of vLLM."""

from pathlib import Path

from knockon.engines.table import FlagTable, load_table


def flag_table() -> FlagTable:
    """The flags of vLLM, its variables and its defaults."""
    return load_table(Path(__file__).with_name("flags.yaml"))
