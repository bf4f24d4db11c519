"""Observations of a report as they are written: a free name with its numbers, their unit, or words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from knockon.sources.document import Items, Keys, Node, Word, refused
from knockon.sources.readings.figures import Figures, figures
from knockon.sources.readings.spelling import plain
from knockon.sources.readings.words import words

_KEYS = ("metric", "value", "unit")
_NAMES = ("metric", "name")
# Between two values of one thing it is no name.
_BESIDE = frozenset({"vs", "versus", "against"})
# A longer text is prose.
_TEXT_MAX = 200
# "running 51 waiting 117 KV 100% gen 1157 tok/s": names with a number each, in one text.
_NAMED = re.compile(
    r"(?:^|[,;|]|\b(?:while|and|with)\b)?\s*(?P<name>[A-Za-z][A-Za-z_ -]{0,39}?)?\s*[=:]?\s*"
    r"(?P<value>\d[\d.,]*(?:\s*(?:->|→|=>)\s*\d[\d.,]*)?)\s*(?P<unit>%|ms\b|s\b|tok/s|tokens/s|req/s|GiB\b|GB\b|W\b|reqs?\b)?\s*"
)


@dataclass(frozen=True, slots=True)
class Seen:
    """One observation."""

    metric: str
    numbers: tuple[float, ...]
    """One number, or the values of a range, list or course; empty where the value is no number."""
    text: str
    """The value where it is words, else empty."""
    unit: str
    word: Word
    replica: str = ""
    is_course: bool = False
    """The first number became the last one."""
    is_at_least: bool = False
    is_at_most: bool = False
    note: str = ""
    """What somebody wrote beside it."""

    @property
    def name(self) -> str:
        """The free name without case and signs."""
        return plain(self.metric)


def observations(node: Node) -> Iterator[Seen]:
    """Every observation of a list or mapping, in its order; one whose value names several things is several.

    Raises:
        IntakeError: `node` is no list of `{metric, value, unit}` and no mapping of names; with the place.
    """
    if isinstance(node, Keys):
        for key, value in node.held.items():
            yield from observed(Word(key, node.key_at[key]), value, "")
        return
    if not isinstance(node, Items):
        raise refused("not-a-list", "observations is not a list", at=node.at, expected="- metric: …")
    for item in node.held:
        name = next((key for key in _NAMES if isinstance(item, Keys) and key in item.held), "")
        if not isinstance(item, Keys) or not name or "value" not in item.held:
            raise refused("bad-observation", "an observation lacks metric or value", at=item.at, expected="both")
        metric, unit, note = item.held[name], item.held.get("unit"), item.held.get("note")
        if not isinstance(metric, Word) or not (unit is None or isinstance(unit, Word)):
            raise refused("bad-observation", "metric and unit are plain words", at=item.at, expected="one word each")
        said = note.text[:_TEXT_MAX].strip() if isinstance(note, Word) else ""
        for one in observed(metric, item.held["value"], unit.text.strip() if isinstance(unit, Word) else ""):
            yield replace(one, note=said)


def observed(metric: Word, value: Node, unit: str) -> Iterator[Seen]:
    """What stands under `metric`; several where one text names several things with a number each."""
    said = _figures(value)
    if said is not None:
        name, behind = words().without_unit(metric.text) if not (unit or said.unit) else (metric.text, "")
        yield _seen(metric, name, said, unit or behind)
        return
    text = value.text if isinstance(value, Word) else ""
    parts = list(_parts(metric, text)) if len(text) <= _TEXT_MAX else []
    yield from parts or [Seen(metric.text, (), text, unit, metric)]


def _seen(metric: Word, name: str, said: Figures, unit: str) -> Seen:
    one = Seen(name, said.numbers, "", unit or said.unit, metric)
    return replace(one, is_course=said.is_course, is_at_least=said.is_at_least, is_at_most=said.is_at_most)


def _figures(value: Node) -> Figures | None:
    """One number or a list of them, each in the same unit."""
    items = value.held if isinstance(value, Items) else [value]
    found = [figures(item.text) if isinstance(item, Word) else None for item in items]
    known = [one for one in found if one is not None]
    if not known or len(known) != len(found) or len({one.unit for one in known}) > 1:
        return None
    if len(known) == 1:
        return known[0]
    return Figures(tuple(number for one in known for number in one.numbers), known[0].unit)


def _parts(metric: Word, text: str) -> Iterator[Seen]:
    """The names and numbers of which the whole of `text` consists; nothing where anything else stands in it."""
    at, found = 0, []
    while at < len(text):
        match = _NAMED.match(text, at)
        if match is None or match.end() == at:
            return
        found.append(match)
        at = match.end()
    named = [match["name"] for match in found if match["name"]]
    if _BESIDE & set(named):
        return
    # Without a name of its own the first one is what the observation is called; the others then stand beside it.
    is_of_replica = bool(found) and found[0]["name"] is not None
    if len(named) < len(found) - 1 or not named:
        return
    for match in found:
        said = figures(f"{match['value']} {match['unit'] or ''}")
        if said is not None:
            one = _seen(metric, match["name"] or metric.text, said, "")
            yield replace(one, replica=metric.text if is_of_replica else "")
