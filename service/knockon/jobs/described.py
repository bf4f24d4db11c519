"""One launch as a file or a command describes it: what the questions over many launches are asked of."""

from dataclasses import dataclass

from knockon.jobs.deployment import Asked
from knockon.terms.errors import Problem
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

    together: str = ""
    """What it was read together with: the same text means the same set of files; empty for a launch alone."""

    @property
    def launch(self) -> str:
        """Kind and name for people; empty for a file that is one launch."""
        return "" if self.name == self.path else f"{self.kind}/{self.name}"
