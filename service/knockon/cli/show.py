"""Where an answer meets the terminal: its language, its width, its colours, and the writing itself."""

import os
import shutil
import sys
from collections.abc import Mapping

from knockon.formats import FORMATS
from knockon.formats.base import Report

# What a pipe or a file gets, where there is no terminal to fit.
_WIDTH = 100
_UTF8 = frozenset({"json", "sarif", "junit", "gitlab"})


def show(report: Report, *, format_name: str) -> None:
    """Write the report to standard output."""
    is_terminal = sys.stdout.isatty()
    text = FORMATS[format_name].render(
        report,
        width=width_of(os.environ, is_terminal=is_terminal),
        is_coloured=is_coloured(os.environ, is_terminal=is_terminal),
    )
    write(text, is_json=format_name in _UTF8)


def write(text: str, *, is_json: bool) -> None:
    """Write text to standard output.

    Args:
        text: what to write.
        is_json: whether it is JSON or XML, which are UTF-8 whatever the terminal speaks.
    """
    if is_json:
        # RFC 8259; half a character of an argument is written escaped.
        _reconfigure(encoding="utf-8")
    else:
        _reconfigure(encoding=None)
    sys.stdout.write(text)
    sys.stdout.flush()


def language_of(asked: str | None, environment: Mapping[str, str]) -> str:
    """As asked for, else as the terminal's locale says: "en" or "zh"."""
    if asked is not None:
        return asked
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environment.get(name))), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def is_coloured(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Whether to colour: on a terminal that can, unless NO_COLOR (no-color.org) is set to something."""
    return is_terminal and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def width_of(environment: Mapping[str, str], *, is_terminal: bool) -> int:
    """Columns to write in: the terminal's; COLUMNS where it is set; else a width that reads well in a file."""
    if is_terminal or environment.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size((_WIDTH, 24)).columns
    return _WIDTH


def _reconfigure(*, encoding: str | None) -> None:
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        # What the terminal's own encoding lacks is written as an escape, never lost in an error.
        reconfigure(encoding=encoding, errors="backslashreplace")
