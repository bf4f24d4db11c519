"""Expected failures, as answers: something is not there, or what was given cannot be read."""

from dataclasses import dataclass

from knockon.api.refusals import told
from knockon.api.shape import Resolver, field, path, shows
from knockon.api.types.words import Position
from knockon.terms import errors
from knockon.terms.errors import KnockonError, Problem


@dataclass(frozen=True, slots=True)
class Refusal:
    """A KnockonError as an answer; an exception that is given out would be raised."""

    problem: Problem
    message: str


@dataclass(frozen=True, slots=True)
class Missing:
    """A NotFound as an answer."""

    problem: Problem
    message: str
    kind: str
    name: str
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A StoreError as an answer."""

    problem: Problem
    message: str

    @property
    def may_pass(self) -> bool:
        """Whether waiting may help."""
        return self.problem.code in _PASSING


# What goes away without anybody doing something about it.
_PASSING = frozenset({"database-locked", "database-unreachable", "history-busy", "checks-busy", "stopping"})


def unavailable(error: errors.StoreError) -> Unavailable:
    """The answer that says what `error` says."""
    return Unavailable(error.problem, str(error))


def refusal(error: KnockonError) -> Refusal | Missing:
    """The answer that says what `error` says."""
    if isinstance(error, errors.NotFound):
        problem = told(error)
        return Missing(problem, str(problem), error.kind, error.name, error.suggestions)
    return Refusal(error.problem, str(error))


def _said(attribute: str) -> Resolver:
    """A part of the problem, null where it is empty."""

    def resolver(root: Refusal | Missing | Unavailable) -> object:
        return getattr(root.problem, attribute) or None

    return resolver


@shows(Missing)
class NotFound:
    """Nothing goes by the name that was asked for, or several things do."""

    code: str = field(
        "Stable kind of the problem, for programs: `unknown-technique`.", resolver=path("problem", "code")
    )
    message: str = field("The whole complaint for people.")
    kind: str = field("What was looked for: technique, model, gpu, profile, revision, stage, fact …")
    name: str = field("The name that was asked for.")
    suggestions: list[str] = field("The nearest names, best first; empty when none is near.")
    fix: str | None = field("What to do; null when the suggestions say all.", resolver=_said("fix"))


@shows(Refusal)
class InputProblem:
    """What was given cannot be read, or is more than the service takes."""

    code: str = field(
        "Stable kind of the problem, for programs: `bad-value`, `limit-exceeded`.", resolver=path("problem", "code")
    )
    message: str = field("The whole complaint for people.")
    what: str = field("What is wrong.", resolver=path("problem", "what"))
    expected: str | None = field("What was expected; null when `what` says it.", resolver=_said("expected"))
    fix: str | None = field("What to do; null when that is plain.", resolver=_said("fix"))
    at: Position | None = field("Where it stands; null when it stands in no text.", resolver=path("problem", "at"))
    excerpt: str | None = field(
        "The line with a mark under what is wrong; null where there is none.", resolver=_said("excerpt")
    )


@shows(Unavailable)
class StoreProblem:
    """The database cannot be asked, or takes nothing; nothing was changed."""

    code: str = field(
        "Stable kind of the problem, for programs: `database-locked`, `database-missing`, `read-only`.",
        resolver=path("problem", "code"),
    )
    message: str = field("The whole complaint for people.")
    what: str = field("What is wrong.", resolver=path("problem", "what"))
    expected: str | None = field("What was expected; null when `what` says it.", resolver=_said("expected"))
    fix: str | None = field("What to do; null when that is plain.", resolver=_said("fix"))
    may_pass: bool = field("Whether the same request may succeed a little later.")
