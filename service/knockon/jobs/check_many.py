"""check for many launches in one run: each gets its own answer; one that cannot be read does not stop the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked
from knockon.jobs.knowledge import Knowledge
from knockon.terms.errors import KnockonError, Problem
from knockon.terms.place import Position


@dataclass(frozen=True, slots=True)
class Described:
    """One launch as a file or a command describes it, or why it cannot be read."""

    path: str
    """The file; "<command>" and "<stdin>" where there is none."""
    kind: str
    """What holds the launch: "Deployment", "compose", "shell", "facts"; empty where nothing could be read."""
    name: str
    """Its name there; the path where it has none of its own."""
    asked: Asked | None
    """None where it cannot be read."""
    problem: Problem | None = None
    at: Position | None = None
    """Where it starts."""
    text: str = ""
    """The text of the file, for the places in it."""

    @property
    def launch(self) -> str:
        """Kind and name for people; empty for a file that is one launch."""
        return "" if self.name == self.path else f"{self.kind}/{self.name}"


@dataclass(frozen=True, slots=True)
class Checked:
    """One launch with its answer; exactly one of `answer` and `problem` is there."""

    described: Described
    answer: CheckAnswer | None
    problem: Problem | None


def check_many(knowledge: Knowledge, described: Iterable[Described]) -> Iterator[Checked]:
    """Check launch by launch, so that only one answer is in memory at a time; a refusal becomes a problem."""
    for one in described:
        if one.asked is None:
            yield Checked(one, None, one.problem or Problem("unreadable", "nothing in it can be checked"))
            continue
        try:
            answer = check(knowledge, one.asked)
        except KnockonError as error:
            yield Checked(one, None, error.problem)
        else:
            yield Checked(one, answer, None)
