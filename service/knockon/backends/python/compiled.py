"""The in-process member of the family: a rulebook judged by its generated function, with evidence made when asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from knockon.backends.python.generate import Explain, Generated, Judge, generate, generate_explained
from knockon.backends.python.reasons import Atom, atoms_of
from knockon.expr.check import check_condition
from knockon.expr.names import mentions
from knockon.expr.nodes import Node
from knockon.expr.show import show
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.words import Scalar


@dataclass(frozen=True, slots=True)
class _Explainer:
    """The atoms of one condition: their truths by a function of their own, their texts and names."""

    judge: Judge
    said: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Rules:
    """Compiled conditions; backends/base.py says what `judge` promises."""

    judge: Judge
    function: Generated
    conditions: tuple[Node, ...]
    vocabulary: Vocabulary
    _explainers: dict[int, _Explainer] = field(default_factory=dict, compare=False, repr=False)
    """Made at the first use of each; what is in it follows from the conditions alone."""

    @cached_property
    def explain(self) -> Explain:
        """Judges as `judge` does, and gives the evidence of what is TRUE in the same pass; hardly slower than it."""
        return generate_explained(self.conditions, self.vocabulary)

    def evidence(self, index: int, values: Mapping[str, Scalar]) -> tuple[Atom, ...]:
        """The evidence of reasons.py for the condition at `index`, for rulebooks that judge over and over.

        The first call for an index costs a millisecond, later ones microseconds; to ask once, use reasons.py.
        """
        explainer = self._explainers.get(index)
        if explainer is None:
            explainer = self._explainers[index] = self._explainer(self.conditions[index])
        return tuple(
            Atom(text, truth, {name: values[name] for name in names if name in values})
            for (text, names), truth in zip(explainer.said, explainer.judge(values), strict=True)
        )

    def _explainer(self, condition: Node) -> _Explainer:
        atoms = atoms_of(condition)
        said = tuple((show(atom), tuple(dict.fromkeys(mentions(atom)))) for atom in atoms)
        return _Explainer(generate(atoms, self.vocabulary).judge, said)


class PythonBackend:
    """The back-end of the running process."""

    name = "python"

    def compile(self, conditions: Sequence[Node], vocabulary: Vocabulary) -> Rules:
        """Check `conditions` against `vocabulary` and make one function of them.

        Raises:
            NameProblem, UnitProblem: a condition that does not hold.
        """
        for condition in conditions:
            check_condition(condition, vocabulary)
        generated = generate(conditions, vocabulary)
        return Rules(generated.judge, generated, tuple(conditions), vocabulary)
