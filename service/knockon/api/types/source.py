"""Sources: who says so, where, and when that was last checked."""

from typing import Any

from knockon.api.context import Info, knowledge_of
from knockon.api.shape import field, path, shows
from knockon.api.types.kinds import SourceKind
from knockon.catalog import source
from knockon.jobs.age import Ages
from knockon.terms.words import CheckedDepth


def sources_of(root: Any, info: Info) -> tuple[source.Source, ...]:
    """A resolver for whatever has `cite`."""
    return knowledge_of(info).catalog.sources(root.cite)


SOURCES = "Who says so. Never empty for a claim."
STALE = "True once its sources were looked at too long ago to be relied on; of a rule, once it was."
STALE_FROM = "The ISO day on which it gets stale, or got so; empty where that is not known."


def is_stale(root: Any, info: Info) -> bool:
    """A resolver for claims and rules."""
    return Ages(knowledge_of(info), info.context.today).is_stale(root)


def stale_from(root: Any, info: Info) -> str:
    """A resolver for claims and rules."""
    return Ages(knowledge_of(info), info.context.today).stale_from(root)


@shows(source.Source)
class Source:
    """One source, and the place in it."""

    title: str = field("Title of the paper, page, file or issue.")
    kind: SourceKind = field("What it is.", resolver=path("citation", "kind"))
    url: str = field("Address.")
    version: str = field(
        "Version of it that was looked at; empty where it has none.", resolver=path("citation", "version")
    )
    where: str = field("Place in it; empty for the whole.")
    checked: str = field("ISO date on which it was last looked at.")
    depth: CheckedDepth = field("How far it was read that day.")
