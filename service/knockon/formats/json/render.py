"""Writes the data of a report as JSON, keys in the order of the contract."""

from knockon.formats.base import Report
from knockon.formats.indented import indented


class JsonFormat:
    """JSON, two spaces deep, Chinese as it is written."""

    name = "json"

    def render(self, report: Report, *, width: int, is_coloured: bool) -> str:
        """The data alone; see `Format.render`."""
        del width, is_coloured
        # A number that is not finite would not be JSON: no contract has one, so one here is a defect of ours.
        return indented({**report.data}) + "\n"
