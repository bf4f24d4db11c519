"""A pure function of a mapping that remembers its answers by the names it reads, not by the whole mapping."""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from knockon.terms.words import Scalar

Answer = TypeVar("Answer")


class Remembered(Generic[Answer]):
    """The same function; mappings that differ only in names which it never read share one answer.

    Several threads may ask: what two of them work out at once is the same. Answers are shared, so they must not change.
    """

    __slots__ = ("_answer_of", "_memory", "_most")

    def __init__(self, answer_of: Callable[[Mapping[str, Scalar]], Answer], *, most: int) -> None:
        """Nothing is remembered yet; when there are `most` answers all are forgotten, and it begins anew."""
        self._answer_of = answer_of
        self._most = most
        self._memory: tuple[tuple[str, ...], dict[tuple[object, ...], Answer]] = ((), {})

    def __call__(self, values: Mapping[str, Scalar]) -> Answer:
        """The answer for `values`, in which no value is None."""
        names, held = self._memory
        key = _key(values, names)
        answer = held.get(key)
        if answer is not None:
            return answer
        reads = _Reads(values)
        answer = self._answer_of(reads)
        if not reads.seen.issubset(names):
            # Answers under fewer names may hang on one of the new ones: they are worked out again.
            names = tuple(sorted(reads.seen.union(names)))
            self._memory = names, {_key(values, names): answer}
        elif len(held) < self._most:
            held[key] = answer
        else:
            self._memory = names, {key: answer}
        return answer


def _key(values: Mapping[str, Scalar], names: tuple[str, ...]) -> tuple[object, ...]:
    seen = tuple(map(values.get, names))
    # 1, 1.0 and true are equal, and not the same.
    return seen, tuple(map(type, seen))


class _Reads(Mapping[str, Scalar]):
    """A mapping that keeps what was read of it."""

    __slots__ = ("_values", "seen")

    def __init__(self, values: Mapping[str, Scalar]) -> None:
        self._values = values
        self.seen: set[str] = set()

    def __getitem__(self, name: str) -> Scalar:
        self.seen.add(name)
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str):
            self.seen.add(name)
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        raise TypeError("what goes through all names reads them all, and cannot be remembered by what it read")

    def __len__(self) -> int:
        raise TypeError("how many names there are is no value that can be remembered")
