"""Times as monitors write them, in Unix seconds."""

import re
from datetime import UTC, datetime

_DATE = re.compile(
    r"(?P<year>\d{4})[-/](?P<month>\d\d)[-/](?P<day>\d\d)[T ](?P<time>\d\d:\d\d:\d\d)"
    r"(?:[.,](?P<part>\d{1,9}))?(?P<zone>Z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)
_UNIX = re.compile(r"\d{9,13}(?:\.\d{1,9})?", re.ASCII)
# Seconds reach this in the year 5138; a larger number is in milliseconds.
_SECONDS_MAX = 1e11


def seconds_of(text: str) -> float | None:
    """Unix seconds of `2026-11-29T12:00:00.5Z`, `2026/11/29 12:00:00.500`, seconds or milliseconds since 1970.

    A date without a zone is taken for UTC. None where the text is none of these, or names no day there is.
    """
    bare = text.strip()
    if _UNIX.fullmatch(bare):
        number = float(bare)
        return number if number < _SECONDS_MAX else number / 1_000
    match = _DATE.fullmatch(bare)
    return None if match is None else date_seconds(match)


def search_date(text: str) -> float | None:
    """The seconds of the first date in `text`; see `seconds_of`."""
    match = _DATE.search(text)
    return None if match is None else date_seconds(match)


def date_seconds(match: re.Match[str]) -> float | None:
    """The seconds of a match with the groups year, month, day and time, and perhaps part and zone."""
    held = match.groupdict()
    zone = (held.get("zone") or "+00:00").replace("Z", "+00:00")
    try:
        moment = datetime.fromisoformat(f"{held['year']}-{held['month']}-{held['day']}T{held['time']}{zone}")
    except ValueError:
        # 13-45 is no day: numbers that only look like a date.
        return None
    return moment.astimezone(UTC).timestamp() + (float(f"0.{held['part']}") if held.get("part") else 0.0)
