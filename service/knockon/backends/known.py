"""Which of the values that are given a condition may use."""

from collections.abc import Mapping

from knockon.expr.arithmetic import settled
from knockon.expr.version import version_key
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.words import Scalar


def known(name: str, values: Mapping[str, Scalar], vocabulary: Vocabulary | None) -> Scalar | None:
    """The value of a name, None when it is absent, not finite, or not of its type in the vocabulary."""
    value = values.get(name)
    if value is None:
        return None
    info = vocabulary.get(name) if vocabulary is not None else None
    if isinstance(value, bool):
        return value if info is None or info.type == "bool" else None
    if isinstance(value, str):
        if info is None or info.type == "text":
            return value
        return value if info.type == "version" and version_key(value) is not None else None
    return settled(value) if info is None or info.is_numeric else None
