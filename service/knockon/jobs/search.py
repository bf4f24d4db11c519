"""search: which techniques do these words mean, or nearly mean?"""

from dataclasses import dataclass

from knockon.catalog.fitting import Hit
from knockon.catalog.rank import search as ranked
from knockon.jobs.knowledge import Knowledge
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.limits import PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The whole answer; `hits` is empty where nothing fits, which is no error."""

    asked: str
    hits: tuple[Hit, ...]
    revision: str


def search(knowledge: Knowledge, words: str, *, limit: int = PAGE_SIZE_DEFAULT) -> SearchAnswer:
    """Look for `words`, in English or Chinese, in names, aliases, goals and summaries; tolerant of misspellings.

    Raises:
        IntakeError: no words, or a limit that is not 1 to 100. LimitExceeded: the words are too long.
    """
    if not words.strip():
        raise IntakeError(Problem("no-words", "there is nothing to search for", "a word or a few", "give some words"))
    if not 1 <= limit <= PAGE_SIZE_MAX:
        raise IntakeError(Problem("bad-limit", f"{limit} hits were asked for", f"1 to {PAGE_SIZE_MAX}"))
    return SearchAnswer(words, ranked(knowledge.catalog, words, limit=limit), knowledge.revision)
