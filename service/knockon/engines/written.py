"""The YAML that members ship, read once for each text of it: what it says is kept for the next run of the program."""

import marshal
from functools import cache
from pathlib import Path
from typing import Any

from knockon.kept import kept


@cache
def shipped_yaml(path: Path) -> Any:
    """What a shipped file says; it never changes while we run."""
    text = path.read_bytes()
    # The library and the reading cost a tenth of a whole check.
    held = kept(f"{path.parent.name}-{path.stem}", (text,), lambda: marshal.dumps(_parsed(text)))
    if held is None:
        return _parsed(text)
    # Whole and of this Python, as `kept` vouches for; nothing in it is ever run.
    return marshal.loads(held)  # noqa: S302  see above


def _parsed(text: bytes) -> Any:
    import yaml  # noqa: PLC0415  see above

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)  # noqa: S506 - either one is a safe loader
