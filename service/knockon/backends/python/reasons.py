"""Why a condition is what it is: the comparisons in it with the values seen, and the names that are lacking.

Made only when asked, for the few rules that fired or could not be told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knockon.backends.known import known
from knockon.backends.python.walk import walked
from knockon.expr.names import mentions, parts
from knockon.expr.nodes import And, Name, Node, Or
from knockon.expr.normal import leaves, normal, without_not
from knockon.expr.show import show
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar


@dataclass(frozen=True, slots=True)
class Atom:
    """One comparison, or one truth by name, inside a condition."""

    text: str
    """As the language writes it, `not` already taken in: `not a > b` is `a <= b`."""
    truth: Truth
    seen: Mapping[str, Scalar]
    """The values it looked at, by name in order of mention; absent names are left out."""


def evidence(node: Node, values: Mapping[str, Scalar], *, vocabulary: Vocabulary | None = None) -> tuple[Atom, ...]:
    """Every comparison of the condition `node` with its truth and the values seen, left to right."""
    return tuple(
        Atom(
            text=show(atom),
            truth=_truth(atom, values, vocabulary),
            seen={name: values[name] for name in dict.fromkeys(mentions(atom)) if name in values},
        )
        for atom in atoms_of(node)
    )


def lacking(node: Node, values: Mapping[str, Scalar], *, vocabulary: Vocabulary | None = None) -> tuple[str, ...]:
    """The names without a usable value that still matter to the truth of `node`, in order of mention.

    Empty when the truth is known, and when no value could make it known (a division by a zero that is there).
    """
    return lacking_in_normal(normal(node), values, vocabulary=vocabulary)


def lacking_in_normal(
    node: Node, values: Mapping[str, Scalar], *, vocabulary: Vocabulary | None = None
) -> tuple[str, ...]:
    """The same of a condition that has its normal form already."""
    return tuple(dict.fromkeys(_lacking(node, values, vocabulary)))


def atoms_of(node: Node) -> tuple[Node, ...]:
    """The comparisons of a condition and its truths by name, left to right, `not` already taken in."""
    return tuple(leaves(without_not(node)))


def _truth(node: Node, values: Mapping[str, Scalar], vocabulary: Vocabulary | None) -> Truth:
    value = walked(node, values, vocabulary)
    return Truth.of(value if isinstance(value, bool) else None)


def _lacking(node: Node, values: Mapping[str, Scalar], vocabulary: Vocabulary | None) -> Iterator[str]:
    if walked(node, values, vocabulary) is not None:
        # A TRUE item of an And, or a FALSE one of an Or, decides nothing; the other way round all is decided.
        return
    if isinstance(node, And | Or):
        for item in node.items:
            yield from _lacking(item, values, vocabulary)
    elif not _is_hopeless(node, values, vocabulary):
        yield from (name for name in mentions(node) if known(name, values, vocabulary) is None)


def _is_hopeless(node: Node, values: Mapping[str, Scalar], vocabulary: Vocabulary | None) -> bool:
    """Whether a part of `node` has all its values and still none of its own."""
    if isinstance(node, Name):
        return False
    if all(known(name, values, vocabulary) is not None for name in mentions(node)):
        return walked(node, values, vocabulary) is None
    return any(_is_hopeless(part, values, vocabulary) for part in parts(node))
