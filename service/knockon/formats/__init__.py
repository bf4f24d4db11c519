"""The formats an answer can be written in."""

from collections.abc import Mapping

from knockon.formats.base import Format
from knockon.formats.github.render import GithubFormat
from knockon.formats.gitlab.render import GitlabFormat
from knockon.formats.json.render import JsonFormat
from knockon.formats.junit.render import JunitFormat
from knockon.formats.markdown.render import MarkdownFormat
from knockon.formats.sarif.render import SarifFormat
from knockon.formats.table.render import TableFormat

FORMATS: Mapping[str, Format] = {
    "table": TableFormat(),
    "json": JsonFormat(),
    "markdown": MarkdownFormat(),
    "sarif": SarifFormat(),
    "junit": JunitFormat(),
    "github": GithubFormat(),
    "gitlab": GitlabFormat(),
}
