"""One scrape: the lines of the Prometheus text format, read strictly, kept only where somebody wants them.

https://prometheus.io/docs/instrumenting/exposition_formats/ and, where the text ends in `# EOF`, OpenMetrics, which
differs in that timestamps are seconds.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from knockon.sources.amount import shown
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position

# Possessive throughout: a hostile line must not make the matcher try one character less, again and again.
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_DECIMAL = r"(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
_SAMPLE = re.compile(
    rf"(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*+)?(?:[ \t]*+(?P<labels>\{{(?:[^\"{{}}]|{_QUOTED})*+\}})[ \t]*+|[ \t]++)"
    rf"(?P<value>[-+]?(?:{_DECIMAL}|[iI]nf(?:inity)?|[nN][aA][nN]))(?:[ \t]++(?P<at>-?{_DECIMAL}))?"
    r"(?:[ \t]++#[ \t].*+)?[ \t]*+",
    re.ASCII,
)
_LABEL = re.compile(
    rf"[ \t]*+(?P<key>[a-zA-Z_][a-zA-Z0-9_]*+)[ \t]*+=[ \t]*+(?P<value>{_QUOTED})[ \t]*+(?:,|$)", re.ASCII
)
# Almost every line: no escapes, no blanks.
_PLAIN_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*+)="([^"\\]*+)"(?:,|$)', re.ASCII)
_PLAIN_LABELS = re.compile(rf"(?:{_PLAIN_LABEL.pattern})*+", re.ASCII)
# A sample up to its labels; and one whose labels may be broken, which is no `name: 1` of YAML.
_LABELLED = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*+[ \t]*+\{", re.ASCII)
_NEARLY = re.compile(rf"{_LABELLED.pattern}[^\n]*[^\s:][ \t]+[-+]?{_DECIMAL}(?:[ \t]++-?{_DECIMAL})?[ \t]*", re.ASCII)
_LABEL_KEY = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*+", re.ASCII)
_LABEL_INSIDE = re.compile(rf"[ \t]*+{_LABEL_KEY.pattern}[ \t]*+=[ \t]*+{_QUOTED}[ \t]*+(?P<sign>[,}}])", re.ASCII)
_WHOLE_QUOTED = re.compile(_QUOTED)
_LABEL_NAME = re.compile(r"[ \t]*+(?P<key>[^=,{}\"]*+)(?P<sign>=?)[ \t]*+", re.ASCII)
_DECLARED = re.compile(r"#[ \t]+(?:TYPE|HELP)[ \t]+(?P<name>\S+)")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n"}
_BEGINNING_CHARACTERS = 20_000
# Of a line that may be one of broken labels.
_LINE_CHARACTERS = 2_000
# An exporter of Python and its process has some twenty names before those that say what it is.
OTHERS_MAX = 100
_MILLISECONDS = 1_000
# "The last line must end with a line feed character": where it does not, `0.9` may be what is left of `0.99`.
_UNENDED = "the scrape ends in this line without a line feed, so the number may be cut"


@dataclass(frozen=True, slots=True)
class Sample:
    """One line: the labels and the value of one series."""

    labels: Mapping[str, str]
    value: float
    raw: str
    """The value as it is written."""
    line: int
    at_s: float | None = None
    """Unix time in seconds, where the line says it."""
    why: str = ""
    """Why the value is not to be used; it is NaN then."""


@dataclass(frozen=True, slots=True)
class Scrape:
    """The wanted series of one text, by the name they are wanted under."""

    samples: Mapping[str, list[Sample]]
    declared: frozenset[str]
    """Wanted names that a TYPE or HELP line announces, with series or without."""
    line_count: int
    """Lines with a sample, wanted or not."""
    cut_off: int | None = None
    """The last line, where the text breaks off in the middle of it."""
    unended: int | None = None
    """The last line, where it reads as a sample and no line feed ends it: its number may be cut."""
    others: tuple[str, ...] = field(default=())
    """The names nobody wanted, in order, the first OTHERS_MAX of them."""


def looks_like_scrape(text: str) -> bool:
    """Whether the first line that is no comment is a sample, or a TYPE or HELP line comes before it."""
    for line in text[:_BEGINNING_CHARACTERS].removeprefix("\ufeff").split("\n"):
        bare = line.strip()
        if bare.startswith("#"):
            if _DECLARED.match(bare):
                return True
        elif bare:
            match = _SAMPLE.fullmatch(bare)
            if match is None:
                return _NEARLY.fullmatch(bare[:_LINE_CHARACTERS]) is not None
            # `name: 1` is YAML, though a name may hold colons.
            return bool(match["name"]) and not match["name"].endswith(":")
    return False


def read_scrape(text: str, filename: str, wanted: Mapping[str, str]) -> Scrape:
    """Read every line; keep the series whose name is a key of `wanted`, under its value.

    Raises:
        IntakeError: a line that is no sample and no comment, or a series that stands twice; with the place.
    """
    reader = _Reader(filename, wanted)
    lines = text.removeprefix("\ufeff").split("\n")
    is_open_metrics = any(line.strip() == "# EOF" for line in lines[-3:])
    for number, line in enumerate(lines, start=1):
        bare = line.strip(" \t\r")
        if bare.startswith("#"):
            reader.comment(bare)
        elif bare:
            match = _SAMPLE.fullmatch(bare)
            # A name alone in braces is how names outside the old alphabet are written; none of them is known here.
            if match is not None and (match["name"] or (match["labels"] or "").startswith('{"')):
                at = Position(filename, number, 1 + len(line) - len(line.lstrip()))
                if number == len(lines) and not line.endswith("\r"):
                    reader.unended = number
                reader.sample(match, at, per_s=1 if is_open_metrics else _MILLISECONDS)
            elif number == len(lines) and reader.line_count:
                reader.cut_off = number
            else:
                raise _unreadable(bare, Position(filename, number, 1 + len(line) - len(line.lstrip())))
    return reader.scrape()


class _Reader:
    """Collects the wanted lines of one text."""

    def __init__(self, filename: str, wanted: Mapping[str, str]) -> None:
        self._filename = filename
        self._wanted = wanted
        self._seen: dict[tuple[str, frozenset[tuple[str, str]]], int] = {}
        self.samples: dict[str, list[Sample]] = {}
        self.declared: set[str] = set()
        self.others: dict[str, None] = {}
        self.line_count = 0
        self.cut_off: int | None = None
        self.unended: int | None = None

    def scrape(self) -> Scrape:
        declared, others = frozenset(self.declared), tuple(self.others)
        return Scrape(self.samples, declared, self.line_count, self.cut_off, self.unended, others)

    def comment(self, line: str) -> None:
        match = _DECLARED.match(line)
        if match is not None and match["name"] in self._wanted:
            self.declared.add(self._wanted[match["name"]])

    def sample(self, match: re.Match[str], at: Position, *, per_s: int) -> None:
        self.line_count += 1
        name = self._wanted.get(match["name"] or "")
        if name is None:
            if match["name"] and len(self.others) < OTHERS_MAX:
                self.others[match["name"]] = None
            return
        labels = self._labels(match["labels"] or "", at.right(match.start("labels")))
        key = (name, frozenset(labels.items()))
        if key in self._seen:
            raise _refused(
                "series-twice",
                f"{name} with these labels stands in line {self._seen[key]} already",
                at,
                expected="each series once",
                fix="give one scrape at a time; an earlier one goes in as the scrape before",
            )
        self._seen[key] = at.line
        at_s = float(match["at"]) / per_s if match["at"] else None
        why = _UNENDED if self.unended is not None else ""
        value = math.nan if why else float(match["value"])
        self.samples.setdefault(name, []).append(Sample(labels, value, match["value"], at.line, at_s, why))

    def _labels(self, text: str, place: Position) -> dict[str, str]:
        inner, at = text[1:-1].rstrip(" \t"), 0
        if _PLAIN_LABELS.fullmatch(inner):
            pairs = _PLAIN_LABEL.findall(inner)
            labels: dict[str, str] = dict(pairs)
            if len(labels) == len(pairs):
                return labels
        labels = {}
        while at < len(inner):
            match = _LABEL.match(inner, at)
            if match is None:
                raise _broken(inner, at, place.right(1))
            if match["key"] in labels:
                what = f"label {match['key']} is given twice: {shown(inner[at:])}"
                raise _refused("bad-label", what, place.right(1 + match.start("key")), expected="each label once")
            quoted = match["value"][1:-1]
            labels[match["key"]] = _ESCAPE.sub(_unescaped, quoted) if "\\" in quoted else quoted
            at = match.end()
        return labels


def _unescaped(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[1], match[1])


def _broken(labels: str, start: int, place: Position) -> IntakeError:
    """Why the label at `start` cannot be read; `place` is that of the first one."""
    rest = labels[start:]
    name = _LABEL_NAME.match(rest)
    # The pattern matches nothing at all, too.
    assert name is not None
    key, value, offset = name["key"].strip(), rest[name.end() :], name.start("key")
    if not name["sign"]:
        what, expected = f"label {shown(key or rest)} has no value", 'name="text"'
    elif not _LABEL_KEY.fullmatch(key):
        what, expected = f"{shown(key)} is no name of a label", "letters, digits and _, no digit first"
    elif not value.startswith('"'):
        what, expected = f"the value of label {key} is not in quotes: {shown(value)}", f'{key}="text"'
    elif (quoted := _WHOLE_QUOTED.match(value)) is None:
        what, expected = f"the quote of label {key} is not closed: {shown(value)}", f'{key}="text"'
    else:
        after = value[quoted.end() :].lstrip()
        offset = len(rest) - len(after)
        what = f"{shown(after)} follows the value of label {key}"
        expected = "a comma, or the brace that closes the labels"
    return _refused("bad-label", what, place.right(start + offset), expected=expected)


def _unreadable(line: str, at: Position) -> IntakeError:
    if labelled := _LABELLED.match(line):
        start, label = labelled.end(), None
        while (label := _LABEL_INSIDE.match(line, start)) and label["sign"] == ",":
            start = label.end()
        if label is None and not line[start:].lstrip().startswith("}"):
            return _broken(line, start, at)
    return _refused(
        "bad-sample",
        f"{shown(line)} is no line of the Prometheus text format",
        at,
        expected='name{label="text"} value',
        fix="save the answer of /metrics as it comes, without headers",
    )


def _refused(code: str, what: str, at: Position, *, expected: str, fix: str = "") -> IntakeError:
    return IntakeError(Problem(code, what, expected=expected, fix=fix, at=at))
