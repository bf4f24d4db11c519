"""The table of `nvidia-smi dmon`: columns of numbers under `#` headers, one row per GPU and moment."""

import re
from collections.abc import Mapping

from knockon.terms.place import Position

_BEGINNING_LINES = 40
# What dmon prints without options: since driver 530, and before.
_PLAIN: Mapping[int, tuple[str, ...]] = {
    12: ("gpu", "pwr", "gtemp", "mtemp", "sm", "mem", "enc", "dec", "jpg", "ofa", "mclk", "pclk"),
    10: ("gpu", "pwr", "gtemp", "mtemp", "sm", "mem", "enc", "dec", "mclk", "pclk"),
}
_ROW = re.compile(r"[ \t]*+\d{1,3}(?:[ \t]++(?:\d{1,6}|-)){9,11}[ \t]*+", re.ASCII)
_UNITS = frozenset({"Idx", "HH:MM:SS", "YYYYMMDD", "W", "C", "%", "MHz", "MB", "MB/s", "bool", "errs", "flag"})


def looks_like_dmon(lines: list[str]) -> bool:
    """Whether the first lines are dmon's header, or rows as dmon prints them without options."""
    start = [line for line in lines[:_BEGINNING_LINES] if line.strip()]
    if start and start[0].lstrip().startswith("#"):
        return "gpu" in titles_of(start[0]) and bool({"pwr", "sm", "fb", "pviol"} & set(titles_of(start[0])))
    rows = [line for line in start if not line.lstrip().startswith("#")]
    return bool(rows) and all(_ROW.fullmatch(line.rstrip("\r")) and len(line.split()) in _PLAIN for line in rows)


def titles_of(line: str) -> tuple[str, ...]:
    """The column names of a header line."""
    return tuple(line.replace("#", " ").split())


def dmon_rows(lines: list[str], filename: str) -> tuple[list[tuple[Mapping[str, str], Position]], bool]:
    """Every row as texts by column, with its place; and whether a header named the columns.

    Rows of another length than the header are left out: a copy may begin in the middle of one.
    """
    titles: tuple[str, ...] = ()
    rows: list[tuple[Mapping[str, str], Position]] = []
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("#"):
            named = titles_of(line)
            titles = titles if set(named) & _UNITS else named
            continue
        words = line.split()
        columns = titles or _PLAIN.get(len(words), ())
        if words and len(words) == len(columns):
            rows.append((dict(zip(columns, words, strict=True)), Position(filename, number, 1)))
    return rows, bool(titles)
