"""Columns of a frame as the conditions see them: a value that is unusable is null, a version is text that sorts.

The rules are those of the python back-end: another type than the vocabulary says, NaN and infinity are UNKNOWN.
"""

from collections.abc import Mapping

import polars as pl

from knockon.expr.arithmetic import LARGEST
from knockon.expr.version import VersionKey, version_key
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.words import Scalar

# A release number has at most nine digits (expr/version.py); the number of a development release is below 2^63.
_PART_DIGITS, _DEV_DIGITS = 10, 19


def usable(series: pl.Series, kind: str) -> pl.Series:
    """The column as a name of type `kind` ("int", "number", "bool", "text", "version") sees it, null where unusable."""
    match kind:
        case "bool":
            return series if series.dtype == pl.Boolean else _unknown(series, pl.Boolean())
        case "text":
            return _texts(series)
        case "version":
            return _sortable(_texts(series))
        case _:
            return _numbers(series)


def given(value: Scalar) -> pl.Series:
    """A column of one row that holds `value`; null where no column could hold it."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return pl.Series([float(value) if -LARGEST <= value <= LARGEST else None], dtype=pl.Float64)
    return pl.Series([value])


def sort_text(key: VersionKey) -> str:
    """A text that sorts as `key` does among its like."""
    release, (phase, number, post, dev) = key
    numbers = "".join(f"{part:0{_PART_DIGITS}d}" for part in release)
    # "!" sorts before every digit: of two releases that begin alike, the shorter one is the earlier.
    return f"{numbers}!{phase + 1}{number:0{_PART_DIGITS}d}{post + 1:0{_PART_DIGITS}d}{dev:0{_DEV_DIGITS}d}"


def columns(frame: pl.DataFrame, names: Mapping[str, str], vocabulary: Vocabulary) -> pl.DataFrame:
    """The columns of `names` (name → what it is called here); one that `frame` lacks is null throughout."""
    series = []
    for name, called in names.items():
        absent = pl.Series(name, [None]).new_from_index(0, frame.height)
        held = frame.get_column(name, default=absent)
        series.append(usable(held, vocabulary.info(name).type).alias(called))
    return pl.DataFrame(series)


def _unknown(series: pl.Series, dtype: pl.DataType) -> pl.Series:
    return pl.Series(series.name, [None], dtype=dtype).new_from_index(0, len(series))


def _numbers(series: pl.Series) -> pl.Series:
    if series.dtype.is_numeric():
        numbers = series.cast(pl.Float64)
        if numbers.is_finite().all():
            return numbers
        return numbers.to_frame("number").select(pl.when(pl.col("number").is_finite()).then("number")).to_series()
    return _unknown(series, pl.Float64())


def _texts(series: pl.Series) -> pl.Series:
    if series.dtype == pl.String:
        return series
    if series.dtype in (pl.Categorical, pl.Enum):
        return series.cast(pl.String)
    return _unknown(series, pl.String())


def _sortable(series: pl.Series) -> pl.Series:
    """Versions as texts that sort by release; few differ, so each is read once."""
    keys = {text: version_key(text) for text in series.unique().drop_nulls()}
    known = {text: sort_text(key) for text, key in keys.items() if key is not None}
    if not known:
        return _unknown(series, pl.String())
    return series.replace_strict(known, default=None, return_dtype=pl.String)
