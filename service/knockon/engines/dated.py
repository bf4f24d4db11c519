"""Turns what people know of a version into a release: "v0.27.1", "Sep 2025", "2025-09-14", "main, August 2026".

Rules compare releases. Whoever knows only when something ran is given the newest release of that day.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from knockon.engines.release import release_of, unreadable
from knockon.engines.written import shipped_yaml
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import ASKED_TEXT_MAX

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:january|february|march|april|june|july|august|september|october|november|december|sept|" + (
    "|".join(_MONTHS) + r")\b\.?"
)
# A dotted number with what follows it; a bare year is none, and "0.11.x" is the line of 0.11.
_VERSION = re.compile(r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,9}){1,5}(?:[-_.]?(?:rc|a|b|dev|pre|post)\d{0,9})*(?:\+[\w.-]*)?)")
_NAMED_MONTH = re.compile(rf"(?:(\d{{1,2}})\s+)?({_MONTH})\s*(?:(\d{{1,2}}),\s*)?((?:19|20)\d\d)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?(?!\d)")
# What a build from a checkout without tags calls itself, whatever release it comes after.
_UNTAGGED = re.compile(r"v?0\.1\.dev\d+(?:\+[\w.-]*)?")
# Words that name no release; the newest one known stands for them.
_UNRELEASED = re.compile(
    r"(?:(?:git|built from|the|on|vllm|sglang|tensorrt-llm|trtllm)\s+)*"
    r"(?:main|master|head|trunk|latest|nightly|newest|current|unknown|not (?:stated|given|said))"
    r"(?:\s+(?:branch|build|version|release|image))*",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(?<![\d/.])((?:19|20)\d\d)\s*(?:/|\.|年)\s*(\d{1,2})(?:\s*(?:/|\.|月)\s*(\d{1,2}))?(?![\d/.])")
_DAY_FIRST = re.compile(r"(?<![\d/.])(?:(\d{1,2})[/.])?(\d{1,2})[/.]((?:19|20)\d\d)(?![\d/.])")
_COMPACT = re.compile(r"(?<![\w.])(20\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?![\w.])")
# The last month of what people call a part of a year by.
_PARTS = re.compile(
    r"\b(q[1-4]|early|mid|late|spring|summer|autumn|fall)[\s-]*(?:of\s+)?((?:19|20)\d\d)\b", re.IGNORECASE
)
_LAST_MONTHS = {"q1": 3, "q2": 6, "q3": 9, "q4": 12, "early": 4, "mid": 8, "late": 12} | {
    "spring": 5,
    "summer": 8,
    "autumn": 11,
    "fall": 11,
}
_YEAR = re.compile(r"(?<![\d.#])((?:19|20)\d\d)(?![\d.]|-\d\d(?!\d))")
_BEFORE = re.compile(r"\b(?:before|until|prior to|pre)\b|<(?!=)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dated:
    """One release, and how it was found."""

    version: str | None
    """None for a build from source that names no release it comes after."""
    why: str = ""
    """For people: "the newest release on 2025-09-30"; empty where the version was said as it stands."""


def dated(text: str, *, engine: str) -> Dated:
    """The release that `text` means.

    Args:
        text: a version, or a day, a month, a year or a phrase around one; a version in it counts more than a date.
        engine: whose releases, for a date.

    Raises:
        IntakeError: neither a version nor a date is in it, or the engine had no release then.
        LimitExceeded: it is longer than any version.
    """
    if len(text) > ASKED_TEXT_MAX:
        raise LimitExceeded("a version", limit=ASKED_TEXT_MAX, found=len(text))
    if _UNTAGGED.fullmatch(text.strip()):
        return Dated(None, f"{text.strip()} is a build that names no release")
    if _UNRELEASED.fullmatch(text.strip()):
        return Dated(None, f"{text.strip()!r} names no release; the newest one known stands for it")
    whole = _plain(text)
    if whole is not None:
        return Dated(whole)
    is_before = _BEFORE.search(text) is not None
    day = _last_day(text, is_before=is_before)
    found = [] if day is not None and _is_written_as_version(text) else _VERSION.findall(text)
    if found:
        if is_before:
            return _before(found[0], text, engine)
        return Dated(found[0], f"read from {text!r}")
    if day is None:
        raise unreadable(text)
    return _newest(day, text, engine, is_before=is_before)


@cache
def releases(engine: str) -> tuple[tuple[str, str], ...]:
    """(version, day) of each release of an engine, oldest first; empty where none are known."""
    path = Path(__file__).parent / engine / "releases.yaml"
    if not engine.isidentifier() or not path.is_file():
        return ()
    return tuple((version, day) for version, day in shipped_yaml(path))


def _plain(text: str) -> str | None:
    """The version, where the text is nothing but one."""
    stripped = text.strip()
    if any(form.fullmatch(stripped) for form in (_NUMBERED, _SLASHED, _DAY_FIRST, _COMPACT, _YEAR)):
        return None
    try:
        release_of(stripped)
    except IntakeError:
        return None
    return stripped


def _is_written_as_version(text: str) -> bool:
    """Whether a date in it has dots between its numbers, as a version has."""
    return any("." in match[0] for form in (_SLASHED, _DAY_FIRST) for match in form.finditer(text))


def _last_day(text: str, *, is_before: bool) -> str | None:
    """The last day of what the text names, "2025-09-30"; the first one after a "before"; None for no date."""
    days: list[str] = []
    for day, month, day_after, year in _NAMED_MONTH.findall(text):
        number = _MONTHS.index(month[:3].lower()) + 1
        days.append(_day(int(year), number, int(day or day_after or 0), is_before=is_before))
    numbered = [found for form in (_NUMBERED, _SLASHED, _COMPACT) for found in form.findall(text)]
    numbered += [(year, month, day) for day, month, year in _DAY_FIRST.findall(text)]
    for year, month, day in numbered:
        if 1 <= int(month) <= len(_MONTHS):
            days.append(_day(int(year), int(month), int(day or 0), is_before=is_before))
    for part, year in _PARTS.findall(text):
        days.append(_day(int(year), _LAST_MONTHS[part.lower()], 0, is_before=is_before))
    if not days:
        days = [f"{year}-01-01" if is_before else f"{year}-12-31" for year in _YEAR.findall(text)]
    return (min(days) if is_before else max(days)) if days else None


def _day(year: int, month: int, day: int, *, is_before: bool) -> str:
    length = monthrange(year, month)[1]
    return f"{year}-{month:02}-{min(day, length) or (1 if is_before else length):02}"


def _newest(day: str, text: str, engine: str, *, is_before: bool) -> Dated:
    known = [version for version, when in releases(engine) if when < day or (when == day and not is_before)]
    final = [version for version in known if release_of(version)[1] >= 0] or known
    if not final:
        raise IntakeError(
            Problem(
                code="unreadable-version",
                what=f"{text!r} is before the first known release of {engine or 'an engine that is not named'}",
                expected="a version, or a date of one of its releases",
                fix="give the version itself, or name the engine with --engine",
            )
        )
    said = "before" if is_before else "on"
    return Dated(max(final, key=release_of), f"the newest release {said} {day} ({text})")


def _before(version: str, text: str, engine: str) -> Dated:
    earlier = [one for one, _ in releases(engine) if release_of(one) < release_of(version)]
    if not earlier:
        raise unreadable(text)
    return Dated(max(earlier, key=release_of), f"the newest release before {version} ({text})")
