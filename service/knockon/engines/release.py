"""Engine releases as comparable values: "0.11.0rc1" is before "0.11.0", which is before "0.11.0.post1"."""

import re
from functools import lru_cache

from knockon.terms.errors import IntakeError, Problem

Release = tuple[tuple[int, ...], int]
"""The numbers without trailing zeros, then -1 for a pre-release, 0 for the release, 1 for a post-release."""

# PEP 440 as engines use it; a further `.dev1` or a local `+cu124` does not change the order here.
_RELEASE = re.compile(
    r"v?(\d{1,9}(?:\.\d{1,9}){0,5})"
    r"(?:[-_.]?(rc|a|b|alpha|beta|dev|pre|post)\d{0,9})?"
    r"(?:[-_.]?(?:dev|post)\d{0,9})?(?:\+[\w.-]{0,60})?",
    re.ASCII,
)


# A run asks for the same few releases over and over: those of its commands, and those that defaults changed with.
@lru_cache(maxsize=1_000)
def release_of(version: str) -> Release:
    """The comparable value of a version text.

    Raises:
        IntakeError: the text does not start with a dotted number.
    """
    match = _RELEASE.fullmatch(version.strip())
    if match is None:
        raise unreadable(version)
    numbers = [int(part) for part in match[1].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    tail = match[2]
    return tuple(numbers), 0 if tail is None else 1 if tail == "post" else -1


def unreadable(version: str) -> IntakeError:
    """The error for a text that is no version."""
    return IntakeError(
        Problem(
            code="unreadable-version",
            what=f"{version!r} is not an engine version",
            expected="a dotted number such as 0.33.0 or 0.11.0rc1, or a date such as 2025-09 or Sep 2025",
            fix="leave the version out to use the newest release known",
        )
    )


def within(version: str, *, since: str | None, until: str | None) -> bool:
    """Whether `version` is at or after `since` and before `until`; None leaves that end open."""
    release = release_of(version)
    return (since is None or release >= release_of(since)) and (until is None or release < release_of(until))
