"""What every source promises: reading what a monitor or a person hands over, and never inventing a number."""

from dataclasses import dataclass
from typing import Protocol

from knockon.expr.vocabulary import Vocabulary
from knockon.terms.fact import Fact
from knockon.terms.reading import Reading
from knockon.terms.run import Run
from knockon.terms.series import Series
from knockon.terms.words import Text


@dataclass(frozen=True, slots=True)
class Taken:
    """Everything one text says about a running system."""

    readings: tuple[Reading, ...]
    """In vocabulary names and units; one per name and replica. What could not be read is there too, with its reason."""
    facts: tuple[Fact, ...] = ()
    """What the text states about the deployment's configuration."""
    engine: str | None = None
    """The serving engine the text comes from ("vllm"), where it shows."""
    notes: tuple[Text, ...] = ()
    """What a person should know before trusting the readings."""
    series: tuple[Series, ...] = ()
    """The same readings over time, where the text has several instants; `readings` has the latest value or the rate."""
    runs: tuple[Run, ...] = ()
    """What a load generator measured, one per load; `readings` are those of the run that is judged."""
    about_runs: tuple[Text, ...] = ()
    """Those of `notes` that say which run is judged and what all of them show."""
    model: str = ""
    """The model that a load generator asked, where it says it."""
    told: str = ""
    """What a person says of the system, in words; empty where nobody told anything."""
    source: str = ""
    """The kind of text; a name of `SOURCES`. Set by `read_source`."""
    filename: str = ""
    """What origins call the text. Set by `read_source`."""


class Source(Protocol):
    """One kind of text. Pure: the same text gives the same answer; only KnockonError is ever raised.

    The caller caps the size of the texts. Ranges are not checked here: an impossible number is handed on as it stands.
    """

    @property
    def name(self) -> str:
        """The source's word on the command line: "prometheus"."""

    def recognises(self, text: str, *, filename: str) -> bool:
        """Whether `text` looks like this source's kind; looks at its beginning only."""

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read one text.

        Args:
            text: the whole text.
            filename: what origins and complaints call it.
            vocabulary: the readings and facts there are, with their units.
            before: an earlier text of the same kind from the same target; rates and quantiles are then of the time
                between the two. Sources without running totals refuse it.
            elapsed_s: seconds between the two texts, over 0; None when nobody knows.

        Raises:
            IntakeError: the text is not of this kind, or contradicts itself; with the place.
            LimitExceeded: a cap of terms/limits.py.
        """
