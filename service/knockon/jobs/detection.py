"""Which techniques a deployment uses: the conditions that tell it, judged together."""

from collections.abc import Mapping, Sequence

from knockon.backends.python.generate import Judge, generate, thawed
from knockon.backends.python.walk import judge_one
from knockon.catalog.catalog import Catalog
from knockon.catalog.technique import Technique
from knockon.expr.check import check_condition
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar, TechniqueId

_END = b"\n\n"


class Detection:
    """The techniques of one catalog that say how to tell that a deployment uses them."""

    def __init__(self, catalog: Catalog, vocabulary: Vocabulary) -> None:
        """Walks over the conditions until it is `prepared` or `thawed`: for one question, generating costs more."""
        self._catalog = catalog
        self._vocabulary = vocabulary
        self._judging: tuple[Sequence[TechniqueId], Judge] | None = None

    def __call__(self, values: Mapping[str, Scalar]) -> tuple[Technique, ...]:
        """The techniques in use where the facts are `values`, by id."""
        if self._judging is None:
            vocabulary = self._vocabulary
            return tuple(
                one
                for one in self._detected()
                if one.detect is not None and judge_one(one.detect, values, vocabulary=vocabulary) is Truth.TRUE
            )
        ids, judge = self._judging
        techniques = self._catalog.techniques
        return tuple(techniques[ids[place]] for place, truth in enumerate(judge(values)) if truth is Truth.TRUE)

    def prepared(self) -> "Detection":
        """The same with its function generated, for programs that answer over and over."""
        return self if self._judging is not None else self.thawed(self.frozen())

    def frozen(self) -> bytes:
        """The function over the conditions as bytes, for `thawed` in a later run of the program with the same catalog.

        Raises:
            NameProblem, UnitProblem: a condition that does not hold.
        """
        detected = self._detected()
        conditions = [one.detect for one in detected if one.detect is not None]
        for each in conditions:
            check_condition(each, self._vocabulary)
        ids = "\n".join(one.id for one in detected)
        return ids.encode() + _END + generate(conditions, self._vocabulary).frozen()

    def thawed(self, data: bytes) -> "Detection":
        """The same with the function that `frozen` of an equal one gave, under the same Python and program."""
        listed, _, function = data.partition(_END)
        ids = [TechniqueId(one) for one in listed.decode().split("\n") if one]
        if not self._catalog.techniques.keys() >= set(ids):
            raise ValueError("these bytes name techniques that are not there")
        again = Detection(self._catalog, self._vocabulary)
        again._judging = ids, thawed(function)
        return again

    def _detected(self) -> list[Technique]:
        found = map(self._catalog.techniques.__getitem__, self._catalog.may_detect)
        return [one for one in found if one.detect is not None]
