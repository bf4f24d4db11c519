"""Files of metrics and readings that are named on the command line, as the jobs take them."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knockon.expr.vocabulary import Vocabulary
    from knockon.sources.base import Taken


def texts_of(files: Sequence[str], before: Sequence[str]) -> list[tuple[str, str, str | None]]:
    """(name, text, earlier text) of every file."""
    from knockon.cli.reading import read_text, shown

    earlier = [read_text(path) for path in before]
    return [(shown(path), read_text(path), old) for path, old in zip_longest(files, earlier)]


def taken_of(
    texts: Sequence[tuple[str, str, str | None]],
    vocabulary: "Vocabulary",
    *,
    source: str | None,
    elapsed_s: float | None,
) -> list["Taken"]:
    """The readings of every text."""
    from knockon.sources import read_source

    return [
        read_source(
            text,
            filename=filename,
            vocabulary=vocabulary,
            source=source,
            before=old,
            elapsed_s=elapsed_s if old is not None else None,
        )
        for filename, text, old in texts
    ]
