"""The version of this program, as the installed package says it."""

from functools import cache


@cache
def version() -> str:
    """Return the installed version, for example `0.1.0`; `0+unknown` where the package runs without being installed."""
    # Few answers name it, and the library that knows costs a twentieth of a check.
    from importlib import metadata  # noqa: PLC0415  see above

    try:
        return metadata.version("knockon")
    except metadata.PackageNotFoundError:
        return "0+unknown"
