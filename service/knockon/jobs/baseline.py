"""The baseline: findings that were there before, by their fingerprints, so that only new ones fail a run."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.words import JsonObject

# The layout of the file; a later one gets another number.
_VERSION = 1


@dataclass(frozen=True, slots=True, order=True)
class Known:
    """One finding as the file keeps it: the fingerprint counts, the rest is for whoever reads the file."""

    path: str
    launch: str
    rule: str
    fingerprint: str


def read_baseline(text: str, *, path: str) -> frozenset[str]:
    """The fingerprints in a baseline file.

    Raises:
        IntakeError: not such a file; with the place.
    """
    start = Position(path, 1, 1)
    fix = "write it with --write-baseline"
    try:
        held = json.loads(text)
    except json.JSONDecodeError as error:
        at = Position(path, error.lineno, error.colno)
        raise IntakeError(Problem("json-syntax", f"not JSON: {error.msg}", "a baseline", fix, at)) from error
    except RecursionError as error:
        raise IntakeError(Problem("json-syntax", "nested too deep", "a baseline", fix, start)) from error
    version = held.get("version") if isinstance(held, dict) else None
    if version != _VERSION or isinstance(version, bool):
        raise IntakeError(Problem("bad-baseline", "this is no baseline", f'"version": {_VERSION}', fix, start))
    findings = held.get("findings")
    if not isinstance(findings, list):
        raise IntakeError(Problem("bad-baseline", "there are no findings in it", '"findings": […]', fix, start))
    prints = set()
    for index, one in enumerate(findings):
        mark = one.get("fingerprint") if isinstance(one, dict) else None
        if not isinstance(mark, str) or not mark:
            what = f"finding {index + 1} has no fingerprint"
            raise IntakeError(Problem("bad-baseline", what, '"fingerprint": "…"', fix, start))
        prints.add(mark)
    return frozenset(prints)


def baseline_text(known: Iterable[Known]) -> str:
    """The file: one finding a line, sorted, so that a change of it reads well."""
    lines = []
    for one in sorted(set(known)):
        entry: JsonObject = {
            "rule": one.rule, "path": one.path, "launch": one.launch, "fingerprint": one.fingerprint,
        }  # fmt: skip
        lines.append("    " + json.dumps(entry, ensure_ascii=False))
    inner = "\n" + ",\n".join(lines) + "\n  " if lines else ""
    return f'{{\n  "version": {_VERSION},\n  "findings": [{inner}]\n}}\n'
