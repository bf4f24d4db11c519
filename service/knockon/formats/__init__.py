"""The formats an answer can be written in."""

from collections.abc import Mapping

from knockon.formats.base import Format
from knockon.formats.json.render import JsonFormat
from knockon.formats.markdown.render import MarkdownFormat
from knockon.formats.table.render import TableFormat

FORMATS: Mapping[str, Format] = {"table": TableFormat(), "json": JsonFormat(), "markdown": MarkdownFormat()}
