"""When a log line was written, as well as the line says it."""

import re
from datetime import UTC, datetime, timedelta

# The year that lines without one are given: a leap year, so that the 29th of February can be read.
_NO_YEAR = 1972
_ISO = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d:\d\d)(?:[.,](?P<part>\d{1,9}))?(?P<zone>Z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)
_AMERICAN = re.compile(r"\[(?P<month>\d\d)/(?P<day>\d\d)/(?P<year>\d{4})-(?P<time>\d\d:\d\d:\d\d)\]", re.ASCII)
# vLLM's own format: no year, no zone.
_SHORT = re.compile(r"\b(?P<month>\d\d)-(?P<day>\d\d) (?P<time>\d\d:\d\d:\d\d)(?:[.,](?P<part>\d{1,9}))?", re.ASCII)
# A line's time stands at its beginning, behind what a container's runtime writes there.
_WITHIN_CHARACTERS = 200
_HALF_A_YEAR = timedelta(days=180)


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
        if match := _ISO.search(start):
            return _moment(f"{match['date']}T{match['time']}", match["part"], match["zone"])
        if match := _AMERICAN.search(start):
            return _moment(f"{match['year']}-{match['month']}-{match['day']}T{match['time']}", None, None)
        if match := _SHORT.search(start):
            return self._without_year(match)
        return None

    def _without_year(self, match: re.Match[str]) -> float | None:
        seconds = _moment(f"{_NO_YEAR}-{match['month']}-{match['day']}T{match['time']}", match["part"], None)
        if seconds is None:
            return None
        self.has_year = False
        moment = datetime.fromtimestamp(seconds, UTC)
        if self._last is not None and self._last - moment > _HALF_A_YEAR:
            self._years += 1
        self._last = moment
        # 1972 has 366 days; whoever logs longer than that has other lines with a year.
        return seconds + 366 * 86_400 * self._years


def _moment(text: str, part: str | None, zone: str | None) -> float | None:
    try:
        moment = datetime.fromisoformat(text + (zone or "").replace("Z", "+00:00"))
    except ValueError:
        # 13-45 is no day: two numbers that only look like one.
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp() + (float(f"0.{part}") if part else 0.0)
