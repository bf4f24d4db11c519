"""check for many launches in one run: each gets its own answer; one that cannot be read does not stop the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.described import Described
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.pairing import paired
from knockon.terms.errors import KnockonError, Problem


@dataclass(frozen=True, slots=True)
class Checked:
    """One launch with its answer; exactly one of `answer` and `problem` is there."""

    described: Described
    answer: CheckAnswer | None
    problem: Problem | None


def check_many(
    knowledge: Knowledge, described: Iterable[Described], *, compares_releases: bool = True
) -> Iterator[Checked]:
    """Check launch by launch, so that only one answer is in memory at a time; a refusal becomes a problem.

    Launches that stand one after the other with the same `together` are judged with what they are to each other.
    `compares_releases` is as in `check`.
    """
    for together, launches in groupby(described, key=lambda one: one.together):
        for one in paired(knowledge, list(launches)) if together else launches:
            yield _checked(knowledge, one, compares_releases=compares_releases)


def _checked(knowledge: Knowledge, one: Described, *, compares_releases: bool) -> Checked:
    if one.asked is None:
        return Checked(one, None, one.problem or Problem("unreadable", "nothing in it can be checked"))
    try:
        return Checked(one, check(knowledge, one.asked, compares_releases=compares_releases), None)
    except KnockonError as error:
        return Checked(one, None, error.problem)
