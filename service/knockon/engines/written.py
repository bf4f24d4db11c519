"""The YAML that members ship, read once for each text of it: what it says is kept for the next run of the program."""

import hashlib
import marshal
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from knockon.kept import kept


@cache
def shipped_yaml(path: Path) -> Any:
    """What a shipped file says; it never changes while we run."""
    text = path.read_bytes()
    # Stands before what was read, so that nothing else is taken for it.
    mark = hashlib.sha256(text).digest()
    # The library and the reading cost a tenth of a whole check.
    held = kept(f"{path.parent.name}-{path.stem}", (text,), lambda: marshal.dumps((mark, _parsed(text))))
    # Whole and of this Python, as `kept` vouches for; nothing in it is ever run.
    with suppress(ValueError, TypeError, EOFError):
        of, said = marshal.loads(held or b"")  # noqa: S302  see above
        if of == mark:
            return said
    return _parsed(text)


def _parsed(text: bytes) -> Any:
    import yaml  # noqa: PLC0415  see above

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)  # noqa: S506 - either one is a safe loader
