"""The version of this program, as the installed package says it."""

from functools import cache
from importlib import metadata


@cache
def version() -> str:
    """Return the installed version, for example `0.1.0`; `0+unknown` where the package runs without being installed."""
    try:
        return metadata.version("knockon")
    except metadata.PackageNotFoundError:
        return "0+unknown"
