"""The shipped vocabulary, which every source reads by."""

from knockon.expr.vocabulary import Vocabulary
from tests.shipped import shipped


def shipped_vocabulary() -> Vocabulary:
    return shipped().rulebook.vocabulary
