"""The shipped vocabulary alone, so that these tests do not hang on the rest of catalog and rules."""

from functools import cache

from knockon.assets import rules_dir
from knockon.curate.document import read_file
from knockon.expr.vocabulary import Vocabulary
from knockon.rules.build import vocabulary_of


@cache
def shipped_vocabulary() -> Vocabulary:
    body = read_file(rules_dir() / "vocabulary.yaml", "rules/vocabulary.yaml").data
    assert isinstance(body, dict)
    return vocabulary_of(body, None)
