"""What a script's variables hold after `if`, `case` and loops: only what every way through agrees on is known."""

from collections.abc import Mapping, Sequence

from knockon.manifests.word import Word, concatenated, gap_of
from knockon.manifests.written import Written

Value = Word | tuple[Word, ...]
"""A variable holds one word, or an array of words."""


def merged(branches: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    """The variables after several ways through a script.

    A value that only one way sets is taken, as a default would be; of two known ones the common beginning is.
    """
    after = dict(branches[0])
    for name in {name for branch in branches for name in branch}:
        values = [branch[name] for branch in branches if name in branch]
        if all(value is values[0] for value in values):
            after[name] = values[0]
            continue
        known = [value for value in values if not _has_gaps(value)] or values[:1]
        distinct = [value for i, value in enumerate(known) if all(_text(value) != _text(each) for each in known[:i])]
        after[name] = distinct[0] if len(distinct) == 1 else _undecided(name, distinct)
    return after


def _undecided(name: str, values: Sequence[Value]) -> Value:
    """The common beginning of several values, and a gap behind it."""
    shortest = min(values, key=lambda value: len(_text(value)))
    if isinstance(shortest, tuple):
        arrays = [value if isinstance(value, tuple) else (value,) for value in values]
        common = 0
        while common < len(shortest) and len({array[common].text for array in arrays if len(array) > common}) == 1:
            common += 1
        return (*shortest[:common], _unknown(name, _first(values)))
    texts = [_text(value) for value in values]
    start = shortest.text
    if all(text == start or text.startswith(f"{start} ") for text in texts):
        blank = Word(Written(" ", shortest.written.pieces[:1]), shortest.at)
        return concatenated([shortest, blank, _unknown(name, shortest)], at=shortest.at)
    return _unknown(name, _first(values))


def _unknown(name: str, near: Word) -> Word:
    return gap_of(Written(f"${{{name}}}", near.written.pieces[:1]), at=near.at, is_open=True)


def _first(values: Sequence[Value]) -> Word:
    """Some word of several values; at least one of two different values has one."""
    return next(word for value in values for word in ((value,) if isinstance(value, Word) else value))


def _has_gaps(value: Value) -> bool:
    return bool(value.gaps) if isinstance(value, Word) else any(word.gaps for word in value)


def _text(value: Value) -> str:
    return value.text if isinstance(value, Word) else " ".join(word.text for word in value)
