"""What the questions are asked of: catalog and rules of one revision, immutable, swapped whole."""

from dataclasses import dataclass

from knockon.catalog.build import build_catalog
from knockon.catalog.catalog import Catalog
from knockon.jobs.detection import Detection
from knockon.jobs.model import ModelFacts
from knockon.rules.build import build_precedents, build_rulebook
from knockon.rules.precedent import Precedents
from knockon.rules.rulebook import Rulebook
from knockon.terms.bundle import Bundle


@dataclass(frozen=True, slots=True)
class Knowledge:
    """One revision. `number` is None for a tree or cache that was never published."""

    catalog: Catalog
    rulebook: Rulebook
    precedents: Precedents
    detection: Detection
    models: ModelFacts
    digest: str
    number: int | None

    @property
    def revision(self) -> str:
        """The revision for people and answers: "7 (3f2a91c04d1e)", or the digest alone."""
        short = self.digest[:12]
        return short if self.number is None else f"{self.number} ({short})"


def knowledge_of(bundle: Bundle, *, number: int | None = None) -> Knowledge:
    """Build catalog and rulebook of `bundle`."""
    catalog, rulebook = build_catalog(bundle), build_rulebook(bundle)
    detection = Detection(catalog, rulebook.vocabulary)
    return Knowledge(catalog, rulebook, build_precedents(bundle), detection, ModelFacts(catalog), bundle.digest, number)
