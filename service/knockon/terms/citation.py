"""Citations: who says so, and when and how far that was last checked."""

from dataclasses import dataclass
from typing import Literal

from knockon.terms.words import CheckedDepth, CitationId

CitationKind = Literal["paper", "document", "code", "issue", "dataset", "experience"]


@dataclass(frozen=True, slots=True)
class Citation:
    """One source. `checked` is an ISO date; `depth` says how far the source was read that day."""

    id: CitationId
    title: str
    kind: CitationKind
    url: str
    checked: str
    depth: CheckedDepth
    version: str = ""


@dataclass(frozen=True, slots=True)
class Cite:
    """A pointer from a claim into a source: the citation and the place in it ("section 3", "model.py:1591")."""

    ref: CitationId
    where: str = ""
