"""Knock-on: a knowledge base and rule engine that shows where the cost of an optimization lands."""


def __getattr__(name: str) -> str:
    """Give `__version__` on demand: reading the package's metadata costs more than most commands."""
    if name == "__version__":
        from knockon.version import version  # noqa: PLC0415 - see above

        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
