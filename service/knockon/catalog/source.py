"""Sources as people read them: the citation and the place in it, resolved."""

from dataclasses import dataclass

from knockon.terms.citation import Citation


@dataclass(frozen=True, slots=True)
class Source:
    """Who says so: one citation, and where in it ("" for the whole)."""

    citation: Citation
    where: str = ""

    @property
    def title(self) -> str:
        """Title of the citation."""
        return self.citation.title

    @property
    def url(self) -> str:
        """Address of the citation."""
        return self.citation.url

    @property
    def checked(self) -> str:
        """ISO date on which the source was last looked at."""
        return self.citation.checked

    @property
    def depth(self) -> str:
        """How far it was read that day."""
        return self.citation.depth
