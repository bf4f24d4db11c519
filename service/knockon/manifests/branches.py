"""What a script's variables hold after `if`, `case` and loops: only what every way through agrees on is known."""

from collections.abc import Mapping, Sequence

from knockon.manifests.word import Word, choice_of, concatenated, spliced
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
        distinct = [value for i, value in enumerate(values) if all(_text(value) != _text(each) for each in values[:i])]
        if len(distinct) > 1 and not _grows(distinct):
            # A value that is not known gives way to a default that is.
            distinct = [value for value in distinct if not _has_gaps(value)] or distinct[:1]
        after[name] = distinct[0] if len(distinct) == 1 else _undecided(distinct)
    return after


def _grows(values: Sequence[Value]) -> bool:
    """Whether every value begins with the shortest one, as where a branch adds further arguments."""
    shortest = min((_text(value) for value in values), key=len)
    return all(
        text in (shortest, "") or not shortest or text.startswith(f"{shortest} ")
        for text in (_text(value) for value in values)
    ) and any(_text(value).removeprefix(shortest).lstrip().startswith("-") for value in values)


def _undecided(values: Sequence[Value]) -> Value:
    """The common beginning of several values, and a gap behind it."""
    shortest = min(values, key=lambda value: len(_text(value)))
    rest = [_text(value).removeprefix(_text(shortest)).strip() for value in values]
    further = [text for text in rest if text] if _grows(values) else [_text(value) for value in values]
    gap = choice_of(
        _first_further(values, shortest),
        shown=" or ".join(further),
        is_several=any(text.startswith("-") for text in further),
    )
    if isinstance(shortest, tuple):
        arrays = [value if isinstance(value, tuple) else (value,) for value in values]
        common = 0
        while common < len(shortest) and len({array[common].text for array in arrays if len(array) > common}) == 1:
            common += 1
        return (*shortest[:common], gap)
    if shortest.text and _grows(values):
        blank = Word(Written(" ", shortest.written.pieces[:1]), shortest.at)
        return concatenated([shortest, blank, gap], at=shortest.at)
    return gap


def _first_further(values: Sequence[Value], shortest: Value) -> Word:
    """The first word that not every value has; of two different values one has such a word."""
    for value in values:
        if isinstance(value, tuple):
            common = len(shortest) if isinstance(shortest, tuple) and _grows(values) else 0
            if len(value) > common:
                return value[common]
        elif value is not shortest:
            start = len(shortest.text) + 1 if isinstance(shortest, Word) and shortest.text and _grows(values) else 0
            return spliced(value, start, len(value.text)) if start < len(value.text) else value
    return next(word for value in values for word in ((value,) if isinstance(value, Word) else value))


def _has_gaps(value: Value) -> bool:
    return bool(value.gaps) if isinstance(value, Word) else any(word.gaps for word in value)


def _text(value: Value) -> str:
    return value.text if isinstance(value, Word) else " ".join(word.text for word in value)
