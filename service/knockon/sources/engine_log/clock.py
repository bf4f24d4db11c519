"""When a log line was written, as well as the line says it."""

import re
from datetime import UTC, datetime, timedelta

from knockon.sources.moment import date_seconds, search_date

# The year that lines without one are given: a leap year, so that the 29th of February can be read.
_NO_YEAR = "1972"
_AMERICAN = re.compile(r"\[(?P<month>\d\d)/(?P<day>\d\d)/(?P<year>\d{4})-(?P<time>\d\d:\d\d:\d\d)\]", re.ASCII)
# vLLM's own format: no year, no zone.
_SHORT = re.compile(r"\b(?P<month>\d\d-\d\d) (?P<time>\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)", re.ASCII)
# A line's time stands at its beginning, behind what a container's runtime writes there.
_WITHIN_CHARACTERS = 200
_HALF_A_YEAR = timedelta(days=180)
_DAY_S = 86_400


class Clock:
    """Turns the times of one log's lines into seconds; remembers them, since December goes over into January."""

    def __init__(self) -> None:
        self._years = 0
        self._last: datetime | None = None
        self.has_year = True
        """False once a line without a year was read: its seconds are good for differences only."""

    def seconds(self, line: str) -> float | None:
        """Unix seconds of the line, UTC where it names no zone; None where it has no time."""
        start = line[:_WITHIN_CHARACTERS]
        if (seconds := search_date(start)) is not None:
            return seconds
        if match := _AMERICAN.search(start):
            return date_seconds(match)
        if match := _SHORT.search(start):
            return self._without_year(match)
        return None

    def _without_year(self, match: re.Match[str]) -> float | None:
        seconds = search_date(f"{_NO_YEAR}-{match['month']} {match['time']}")
        if seconds is None:
            return None
        self.has_year = False
        moment = datetime.fromtimestamp(seconds, UTC)
        if self._last is not None and self._last - moment > _HALF_A_YEAR:
            self._years += 1
        self._last = moment
        # 1972 has 366 days; whoever logs longer than that has other lines with a year.
        return seconds + 366 * _DAY_S * self._years
