"""What the texts of a report say: settings, sizes and hardware of a configuration, and a few plain statements.

Numbers are taken from a configuration only where their name stands beside them. Of other prose only listed words count,
and not where a word beside them denies them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.sources.document import Keys, Word
from knockon.sources.readings.aliases import OTHER_ENGINE, Statement, aliases
from knockon.sources.readings.factors import told_factors
from knockon.sources.readings.spelling import plain
from knockon.sources.readings.words import words
from knockon.terms.fact import Fact, Origin
from knockon.terms.reading import Reading

CONFIG, SYSTEM, SYMPTOM, STAGE = "config", "system", "symptom", "stage"
# What may stand beside readings or observations for people.
TEXTS = frozenset({CONFIG, SYSTEM, SYMPTOM, STAGE, "id", "source", "note", "notes", "title"})
# A longer text is read at its beginning alone.
_TEXT_MAX = 4000
_VERSION = re.compile(r"\s*v?(\d{1,2}\.\d{1,3}(?:\.\d{1,3})?)\b")
_OFF = r"(?!\s*[=:]?\s*(?:false|0\b|off))"
_CLAUSE = re.compile(r"[.,;()]\s|\bbut\b|\bwhile\b|\bthough\b|\balthough\b")
# How far before or behind words one that denies them may stand.
_NEAR_BEFORE, _NEAR_BEHIND = 5, 1
_OF_TRAINING = frozenset({"training", "data"})


def facts_of(report: Keys, vocabulary: Vocabulary) -> Iterator[Fact]:
    """Settings with a whole number, flags, counted devices, and the engine with its release."""
    config, system = _text(report, CONFIG), _text(report, SYSTEM)
    if config is not None:
        yield from _settings(config, vocabulary)
        yield from _flags(config)
        yield from _hardware(config, vocabulary)
    for word in (system, config):
        if word is not None and (engine := _engine(word)):
            yield from engine
            return


def statements_of(report: Keys, beside: Sequence[Word] = ()) -> Iterator[Reading]:
    """Readings that stand in the texts of a report: "2x A100, no NVLink"; what is said both ways is left out.

    `beside` are texts that stand in observations: values that are words, and notes.
    """
    stage = _text(report, STAGE)
    is_training = stage is not None and stage.text in _OF_TRAINING
    found: dict[str, tuple[Statement, Reading]] = {}
    disputed = set()
    for word in (*(_text(report, key) for key in (CONFIG, SYSTEM, SYMPTOM)), *beside):
        for phrase, statement in _said(word.text[:_TEXT_MAX]) if word else ():
            if statement.of and (statement.of == "training") != is_training:
                continue
            other = found.setdefault(
                statement.reading,
                (
                    statement,
                    Reading(
                        statement.reading, statement.holds, f"{phrase}, {word.at if word else ''}", quality="reported"
                    ),
                ),
            )
            if other[0].holds != statement.holds:
                disputed.add(statement.reading)
    yield from (reading for name, (_, reading) in found.items() if name not in disputed)


def factors_of(report: Keys) -> Iterator[Reading]:
    """How many times as fast or slow one change made it, as texts tell."""
    for word in (_text(report, key) for key in (CONFIG, SYMPTOM)):
        yield from told_factors(word, word.text[:_TEXT_MAX], aliases().changes) if word else ()


def loads_of(report: Keys) -> Iterator[Reading]:
    """Lengths and requests in flight that texts tell: "4096 in / 1024 out, 64 concurrent"; of several numbers none."""
    found: dict[str, dict[float, Reading]] = {}
    for word in (_text(report, key) for key in (CONFIG, SYMPTOM)):
        for pattern, reading in aliases().loads if word else ():
            for match in pattern.finditer(plain(word.text[:_TEXT_MAX]) if word else ""):
                number = words().number(match[1])
                if number is not None and word is not None:
                    one = Reading(reading, float(number), f"{match[0]}, {word.at}", quality="reported")
                    found.setdefault(reading, {})[float(number)] = one
    yield from (next(iter(numbers.values())) for numbers in found.values() if len(numbers) == 1)


def whole_number(info: NameInfo, number: float, word: Word) -> Iterator[Fact]:
    """The fact, where `number` can be its value."""
    if info.type != "int" or not number.is_integer():
        return
    if (info.minimum is None or number >= info.minimum) and (info.maximum is None or number <= info.maximum):
        yield Fact(info.name, int(number), Origin("file", word.text, word.at))


def _text(report: Keys, key: str) -> Word | None:
    node = report.held.get(key)
    return node if isinstance(node, Word) else None


def _settings(config: Word, vocabulary: Vocabulary) -> Iterator[Fact]:
    text = config.text[:_TEXT_MAX].lower().replace("-", "_")
    for name, digits in re.findall(r"(?<![a-z0-9])_*([a-z][a-z_]{2,60})[ =:]{1,2}(\d{1,9})\b(?!\.)", text):
        info = vocabulary.get(name)
        if info is not None and info.kind == "fact":
            yield from whole_number(info, float(digits), config)
    spaced = f" {text.replace('_', ' ')} "
    for short, fact in aliases().config.sizes.items():
        for digits in re.findall(rf"(?<![a-z0-9]){short}(?: ?[=:] ?| ?)(\d{{1,9}})\b(?!\.)", spaced):
            if (info := vocabulary.get(fact)) is not None:
                yield from whole_number(info, float(digits), config)


def _flags(config: Word) -> Iterator[Fact]:
    text = config.text[:_TEXT_MAX].lower().replace("-", "_")
    for word, name in aliases().config.flags.items():
        spelled = word.replace(" ", "[_ ]")
        if re.search(rf"(?<![a-z0-9])(?<!no )(?<!without )_*{spelled}\b{_OFF}", text):
            yield Fact(name, value=True, origin=Origin("file", word, config.at))


def _hardware(config: Word, vocabulary: Vocabulary) -> Iterator[Fact]:
    """Counted devices and nodes: "8x H100", "H100 x8", "2 nodes", "one node"."""
    text = config.text[:_TEXT_MAX]
    models = "|".join(re.escape(name) for name in aliases().config.gpus)
    found = re.findall(
        rf"(?:(\d{{1,4}}) ?[x×]? ?)?\b({models})\b(?:[ -]?\d+ ?GB?)?(?: ?[x×] ?(\d{{1,4}})\b)?", text, re.IGNORECASE
    )
    counts = {before or behind for before, _, behind in found if before or behind}
    if len(counts) == 1 and (info := vocabulary.get("gpu_count")) is not None:
        yield from whole_number(info, float(next(iter(counts))), config)
    for thing, fact in aliases().config.counted.items():
        numbers = set(re.findall(rf"\b(\d{{1,4}}|one|single|two|four|eight)[ -]{thing}\b", text.lower()))
        spelled = {"one": 1, "single": 1, "two": 2, "four": 4, "eight": 8}
        info = vocabulary.get(fact)
        if len(numbers) == 1 and info is not None:
            number = next(iter(numbers))
            yield from whole_number(info, float(spelled.get(number, number)), config)


def _engine(word: Word) -> list[Fact]:
    text = word.text[:_TEXT_MAX].lower().replace("-", " ")
    found = [(name, engine) for name, engine in aliases().config.engines.items() if re.search(rf"\b{name}\b", text)]
    if len({engine for _, engine in found}) != 1 or found[0][1] == OTHER_ENGINE:
        return []
    name, engine = found[0]
    release = _VERSION.match(text, text.index(name) + len(name))
    facts = [Fact("engine", engine, Origin("file", name, word.at))]
    return (
        [*facts, Fact("engine_version", release[1], Origin("file", release[0].strip(), word.at))] if release else facts
    )


def _said(text: str) -> Iterator[tuple[str, Statement]]:
    for clause in _CLAUSE.split(text):
        # What was denied once in a clause is not said by other words of it.
        denied = set[str]()
        for phrase, statement, is_denied in _found(f" {plain(clause)} "):
            if is_denied:
                denied.add(statement.reading)
            elif statement.reading not in denied:
                yield phrase, statement


def _found(clause: str) -> Iterator[tuple[str, Statement, bool]]:
    """What the words of a clause say, listed ones before patterns, and whether a word beside them denies it."""
    left = clause
    said = set(clause.split())
    for phrase, (first, statements) in _by_first_word().items():
        # Of a thousand phrases a clause has the first word of a few.
        if first in said and f" {phrase} " in left:
            before, _, behind = left.partition(f" {phrase} ")
            left = f"{before} | {behind}"
            yield from ((phrase, statement, _is_denied(before, behind)) for statement in statements)
    for pattern, statement in aliases().patterns:
        if match := pattern.search(clause.strip()):
            yield match[0], statement, _is_denied(match.string[: match.start()], match.string[match.end() :])


@cache
def _by_first_word() -> Mapping[str, tuple[str, tuple[Statement, ...]]]:
    return {phrase: (phrase.partition(" ")[0], statements) for phrase, statements in aliases().texts.items()}


def _is_denied(before: str, behind: str) -> bool:
    near = {*before.split()[-_NEAR_BEFORE:], *behind.split()[:_NEAR_BEHIND]}
    return not near.isdisjoint(aliases().denied)
