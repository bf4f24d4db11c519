"""One observation with several values whose name or note tells what each is: "p50 / p95", "before vs after", "1:2 2:9".

The two ends of a range are no such thing: where neither name nor note has as many parts as there are values, the
observation stays as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from knockon.sources.readings.measure import kind_of
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.spelling import plain
from knockon.sources.readings.words import words

_ONE = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
# "9901 / 10747 / 11720", "503 vs 494".
_BESIDE = re.compile(rf"(?P<numbers>{_ONE}(?:\s*(?:/|\bvs\.?|\bversus\b)\s*{_ONE})+)\s*(?P<unit>[A-Za-zµ%][^\d]*)?")
# "1:22.5 2:10.4 4:20.3": what was measured at each level.
_KEYED = re.compile(rf"(?:\d+\s*[:=]\s*{_ONE}[\s,;]*)+(?P<unit>[A-Za-zµ%][^\d]*)?")
_PAIR = re.compile(rf"(\d+)\s*[:=]\s*({_ONE})")
_SLASHED = re.compile(r"[\w%]+(?:\s*/\s*[\w%]+)+")
_VERSUS = frozenset({"vs", "versus", "against"})
_NOTE_PARTS = re.compile(r"\s*(?:,|/|\bvs\.?\s|\bagainst\s|\bthen\s|\band\s)\s*")
# A part of a note that has more words is a sentence.
_PART_WORDS_MAX = 3
_TEXT_MAX, _VALUES_MAX = 200, 16


def apart(one: Seen) -> Iterator[Seen]:
    """`one`, or an observation for each of its values."""
    if one.text and len(one.text) <= _TEXT_MAX and (keyed := list(_keyed(one))):
        yield from keyed
        return
    said = _beside(one)
    if said is None or said.is_course or not 1 < len(said.numbers) <= _VALUES_MAX:
        yield one
        return
    for names in (_slashed(said), _versus(said), _numbered(said), _noted(said)):
        if len(names) == len(said.numbers) and len(set(names)) == len(names):
            yield from (replace(said, metric=name, numbers=(n,)) for name, n in zip(names, said.numbers, strict=True))
            return
    yield one


def _beside(one: Seen) -> Seen | None:
    """`one` with its numbers, those of a text such as "503 vs 494" too."""
    if one.numbers:
        return one
    match = _BESIDE.fullmatch(one.text.strip()) if len(one.text) <= _TEXT_MAX else None
    if match is None:
        return None
    numbers = tuple(float(number.replace(",", "")) for number in re.findall(_ONE, match["numbers"]))
    return replace(one, numbers=numbers, text="", unit=one.unit or (match["unit"] or "").strip())


def _slashed(one: Seen) -> Sequence[str]:
    """The name with each of the words between slashes: "ttft p50 / p95"; "tok/s" is none."""
    runs = [match for match in _SLASHED.finditer(one.metric) if kind_of(match[0]).is_higher_better is None]
    for match in runs:
        parts = [part.strip() for part in match[0].split("/")]
        if len(parts) == len(one.numbers):
            return [f"{one.metric[: match.start()]}{part}{one.metric[match.end() :]}" for part in parts]
    return ()


def _versus(one: Seen) -> Sequence[str]:
    said = plain(one.metric).split()
    at = [place for place, word in enumerate(said) if word in _VERSUS]
    if len(at) != 1 or not 0 < at[0] < len(said) - 1:
        return ()
    middle = at[0]
    return [" ".join(said[:middle] + said[middle + 2 :]), " ".join(said[: middle - 1] + said[middle + 1 :])]


def _numbered(one: Seen) -> Sequence[str]:
    """The name with each of as many numbers as there are values: "p99 run 1 2 3"."""
    said, count = plain(one.metric).split(), len(one.numbers)
    for start in range(len(said) - count + 1):
        if all(word.isdecimal() for word in said[start : start + count]):
            return [" ".join([*said[:start], number, *said[start + count :]]) for number in said[start : start + count]]
    return ()


def _noted(one: Seen) -> Sequence[str]:
    """The name with each part of a note that has as many: "before, after"."""
    parts = [part for part in _NOTE_PARTS.split(one.note.rpartition(";")[2].strip()) if part]
    if len(parts) != len(one.numbers) or any(plain(part) in words().ends for part in parts):
        return ()
    is_named = all(part[0].isalpha() and len(part.split()) <= _PART_WORDS_MAX for part in parts)
    return [f"{one.metric}, {part}" for part in parts] if is_named else ()


def _keyed(one: Seen) -> Iterator[Seen]:
    """What was measured at each level: "throughput by batch" of "1:22.5 2:10.4"."""
    before, by, behind = f" {plain(one.metric)} ".partition(" by ")
    axis, _, rest = behind.strip().partition(" ")
    match = _KEYED.fullmatch(one.text.strip()) if by and axis else None
    if match is None:
        return
    is_behind = any(axis in level.after for level in words().levels.values())
    for level, number in _PAIR.findall(one.text)[:_VALUES_MAX]:
        at = f"{level} {axis}" if is_behind else f"{axis} {level}"
        name = " ".join(filter(None, (before.strip(), rest, at)))
        value = float(number.replace(",", ""))
        yield replace(one, metric=name, numbers=(value,), text="", unit=one.unit or (match["unit"] or "").strip())
