"""Waivers: findings that somebody takes responsibility for, with a reason and a last day."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from knockon.jobs.fingerprint import Setting
from knockon.terms.errors import CurationError, Problem
from knockon.terms.limits import WAIVERS_MAX
from knockon.terms.place import Position
from knockon.terms.words import Json

if TYPE_CHECKING:
    from knockon.curate.document import Document

FILE_NAME = "knockon.waivers.yaml"

_KEYS = ("rule", "path", "reason", "expires", "launch", "setting")
_REQUIRED = _KEYS[:4]
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a finding is about, as waivers name it."""

    rule: str
    path: str
    """Relative to the folder of the waiver file, with forward slashes."""
    kind: str
    name: str
    settings: Sequence[Setting]


@dataclass(frozen=True, slots=True)
class Waiver:
    """One entry of a waiver file."""

    rule: str
    path: str
    """A glob: `*` stays inside a folder, `**` does not."""
    reason: str
    expires: date
    """The last day on which it holds."""
    at: Position
    launch: str | None = None
    """The launch's name, or kind/name; None for every launch of the files."""
    setting: str | None = None
    """`fact` or `fact=value` that the finding must be about; None for any."""

    def is_expired(self, today: date) -> bool:
        """Whether its last day is over."""
        return today > self.expires

    def covers(self, subject: Subject) -> bool:
        """Whether it speaks of that finding; whether it still holds is another question."""
        return (
            self.rule == subject.rule
            and self.reaches(subject.path)
            and (self.launch is None or self.launch in (subject.name, f"{subject.kind}/{subject.name}"))
            and (self.setting is None or any(_is_setting(self.setting, one) for one in subject.settings))
        )

    def reaches(self, path: str) -> bool:
        """Whether its glob fits a file."""
        return _pattern(self.path).fullmatch(path) is not None


def read_waivers(text: str, *, path: str) -> tuple[Waiver, ...]:
    """The waivers of a file, in order.

    Raises:
        CurationError: not YAML, or entries that do not hold; all of them, with their places.
        LimitExceeded: too large, or too many.
    """
    # Most runs have no waivers, and need no reader of YAML.
    from knockon.curate.document import read_bytes  # noqa: PLC0415  see above

    document = read_bytes(text.encode("utf-8", "surrogatepass"), path)
    held = document.data
    if not isinstance(held, dict) or set(held) != {"waivers"} or not isinstance(held["waivers"], list):
        raise CurationError([_problem(document, (), "the file holds no waivers", "one list under `waivers:`")])
    entries = held["waivers"]
    if len(entries) > WAIVERS_MAX:
        what = f"{len(entries):,} waivers are over the limit of {WAIVERS_MAX:,}"
        raise CurationError([_problem(document, ("waivers",), what, "waivers of paths, not of single findings")])
    problems: list[Problem] = []
    waivers = [_waiver(document, index, entry, problems) for index, entry in enumerate(entries)]
    if problems:
        raise CurationError(problems)
    return tuple(one for one in waivers if one is not None)


def _waiver(document: "Document", index: int, entry: Json, problems: list[Problem]) -> Waiver | None:
    steps: tuple[str | int, ...] = ("waivers", index)
    if not isinstance(entry, dict):
        problems.append(_problem(document, steps, "a waiver is a mapping", ", ".join(_REQUIRED)))
        return None
    before = len(problems)
    for key in entry:
        if key not in _KEYS:
            at = document.key_at(*steps, key)
            problems.append(Problem("unknown-key", f"{key!r} is not understood here", ", ".join(_KEYS), at=at))
    problems += [
        _problem(document, steps, f"the waiver has no {key}", "each needs " + ", ".join(_REQUIRED))
        for key in _REQUIRED
        if key not in entry
    ]
    for key, value in entry.items():
        if key in _KEYS and (not isinstance(value, str) or not value.strip()):
            problems.append(_problem(document, (*steps, key), f"{key} cannot be {value!r}", "text"))
    expires = _day(entry.get("expires"))
    if expires is None and isinstance(entry.get("expires"), str):
        what = f"expires cannot be {entry['expires']!r}"
        problems.append(_problem(document, (*steps, "expires"), what, "a day such as 2027-01-31"))
    if len(problems) > before or expires is None:
        return None
    said = {key: str(value).strip() for key, value in entry.items()}
    return Waiver(
        rule=said["rule"],
        path=said["path"].removeprefix("./"),
        reason=" ".join(said["reason"].split()),
        expires=expires,
        at=document.at(*steps),
        launch=said.get("launch"),
        setting=said.get("setting"),
    )


def _day(text: Json) -> date | None:
    if not isinstance(text, str) or not _DAY.fullmatch(text.strip()):
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def _problem(document: "Document", steps: Sequence[str | int], what: str, expected: str) -> Problem:
    return Problem("bad-waiver", what, expected, at=document.at(*steps))


def _is_setting(wanted: str, setting: Setting) -> bool:
    name, value = setting
    fact, equals, text = (part.strip() for part in wanted.partition("="))
    if fact != name:
        return False
    said = str(value).lower() if isinstance(value, bool) else str(value)
    return not equals or text == said or text.lower() == said.lower()


def _pattern(glob: str) -> re.Pattern[str]:
    """A glob as a regular expression; the library caches what it compiles."""
    parts = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile(
        "".join(parts.get(token) or re.escape(token) for token in re.findall(r"\*\*/|\*\*|.", glob, re.DOTALL))
    )
