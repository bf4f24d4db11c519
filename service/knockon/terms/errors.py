"""Everything that can go wrong, as one tree.

KnockonError                 carries data (code, what, where, expected, fix); the text is made once, in __str__
├── CurationError            YAML that does not hold: all problems found, sorted
├── ExpressionError          a condition that does not hold, with a span and a caret
│   ├── SyntaxProblem        not in the language
│   ├── NameProblem          a name the vocabulary does not have
│   └── UnitProblem          types or units that do not fit together
├── IntakeError              unreadable input from a user: files, flags, metrics
├── NotFound                 no such technique, model, profile, revision …
├── LimitExceeded            a cap of terms/limits.py
├── Unsupported              a back-end cannot express a node
└── StoreError               the database is missing, locked, or of another version
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from knockon.terms.place import Position, Span

_NOT_THERE = frozenset({"missing-file", "missing-folder"})


@dataclass(frozen=True, slots=True)
class Problem:
    """One complaint about input: what is wrong, where, what was expected and what to do."""

    code: str
    """Stable kebab-case kind, for example `unknown-name`."""
    what: str
    expected: str = ""
    fix: str = ""
    at: Position | None = None
    excerpt: str = ""
    """Lines of the input with carets under what is wrong, shown below the complaint."""

    def __str__(self) -> str:
        said = "; ".join(part for part in (self.what, self.expected and f"expected {self.expected}", self.fix) if part)
        placed = f"{self.at}: {said}" if self.at else said
        return f"{placed}\n{self.excerpt}" if self.excerpt else placed

    @property
    def order(self) -> tuple[bool, str, int, int, str, str]:
        """Sort key: what is not there, from which the others follow; then by place, code and text."""
        at = self.at or Position("", 0, 0)
        return (self.code not in _NOT_THERE, at.path, at.line, at.column, self.code, self.what)


class KnockonError(Exception):
    """Base of every error Knock-on raises on purpose."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem

    @property
    def code(self) -> str:
        """The stable kind of the problem."""
        return self.problem.code

    def __str__(self) -> str:
        return str(self.problem)


@contextmanager
def said_at(at: Position | None) -> Iterator[None]:
    """Give the complaints raised inside the place of what they are about, where they have none; None gives nothing."""
    try:
        yield
    except KnockonError as error:
        if at is not None and error.problem.at is None:
            error.problem = replace(error.problem, at=at)
        raise


class CurationError(KnockonError):
    """YAML of the catalog or the rules does not hold; `problems` has them all, sorted by place."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.order))
        super().__init__(self.problems[0])

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class ExpressionError(KnockonError):
    """A condition does not hold; `text` is the whole expression, `span` the part that is wrong."""

    def __init__(self, problem: Problem, *, text: str, span: Span) -> None:
        super().__init__(problem)
        self.text = text
        self.span = span

    @property
    def caret(self) -> str:
        """The source line with carets under the wrong part, two lines of text."""
        start = self.text.rfind("\n", 0, self.span.start) + 1
        end = self.text.find("\n", start)
        line = self.text[start : end if end >= 0 else len(self.text)]
        width = max(1, min(self.span.end, start + len(line)) - self.span.start)
        # Invisible characters and halves of a pair would move the caret, or could not be printed at all.
        line = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line)
        return f"{line}\n{' ' * (self.span.start - start)}{'^' * width}"

    def __str__(self) -> str:
        return f"{self.problem}\n{self.caret}"


class SyntaxProblem(ExpressionError):
    """The text is not an expression of the language."""


class NameProblem(ExpressionError):
    """A name is not in the vocabulary."""


class UnitProblem(ExpressionError):
    """Types or units do not fit together."""


class IntakeError(KnockonError):
    """Input from outside cannot be read."""


class NotFound(KnockonError):
    """Nothing goes by the asked name; `suggestions` are the nearest names, best first."""

    def __init__(self, kind: str, name: str, *, suggestions: Sequence[str] = (), fix: str = "") -> None:
        self.kind = kind
        self.name = name
        self.suggestions = tuple(suggestions)
        meant = f"did you mean {' or '.join(repr(s) for s in self.suggestions)}?" if self.suggestions else ""
        super().__init__(
            Problem(
                code=f"unknown-{kind.replace(' ', '-')}",
                what=f"no {kind} is called {name!r}",
                fix="; ".join(x for x in (meant, fix) if x),
            )
        )


class LimitExceeded(KnockonError):
    """Input is larger than a cap of terms/limits.py allows."""

    def __init__(
        self, what: str, *, limit: int, found: int | None = None, at: Position | None = None, fix: str = ""
    ) -> None:
        self.limit = limit
        seen = f", found {found:,}" if found is not None else ""
        super().__init__(
            Problem(code="limit-exceeded", what=f"{what} is over the limit of {limit:,}{seen}", fix=fix, at=at)
        )


class Unsupported(KnockonError):
    """A back-end cannot express a node of the language."""


class StoreError(KnockonError):
    """The database is missing, locked, or of another version than this program."""
