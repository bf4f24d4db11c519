"""The fingerprint of a finding: the same run after run, wherever the launch moves inside its file.

It is made of the rule, the launch (file, kind, name) and the settings the rule looked at, never of lines or wording.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence

from knockon.expr.names import names_in
from knockon.rules.couple import Finding
from knockon.terms.fact import Fact
from knockon.terms.words import Scalar

# What somebody wrote; what the model, the GPU or the engine adds may change with the catalog.
_WRITTEN = frozenset({"flag", "env", "file", "set"})
# 128 bits: two findings of one repository never meet by chance.
_LENGTH = 32

Setting = tuple[str, Scalar]


def settings_of(finding: Finding, facts: Mapping[str, Fact]) -> tuple[Setting, ...]:
    """The settings that somebody wrote and the finding is about, by name."""
    return tuple(
        (name, facts[name].value)
        for name in sorted(names_in(finding.rule.when))
        if name in facts and facts[name].origin.kind in _WRITTEN
    )


def fingerprint(rule: str, *, path: str, kind: str, name: str, settings: Sequence[Setting], nth: int = 0) -> str:
    """32 hexadecimal digits.

    Args:
        rule: the rule's id.
        path: the file of the launch, relative to where checks are always started from.
        kind: what holds the launch: "Deployment".
        name: its name there.
        settings: names and values, sorted.
        nth: 0 for the first finding that has all this in common, 1 for the next.
    """
    parts = [rule, path, kind, name, [[key, value] for key, value in settings], nth]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
