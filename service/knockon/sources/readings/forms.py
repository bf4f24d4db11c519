"""The forms in which readings and reports come: one document, a list of observations, JSON with one of them a line."""

import re

from knockon.sources.document import Items, Keys, Node, read_document, refused

OBSERVATIONS = "observations"
_NAMES = frozenset({"metric", "name"})
# A list of observations: its first item begins with one of their keys.
_LISTED = re.compile(r"\s*(?:\[\s*\{|-\s+\{?)\s*[\"']?(?:metric|name|value|unit|note|id|system|observations)[\"']?\s*:")
# A character that JSON writes as two escapes; YAML knows each of them alone and refuses it.
_TWO_ESCAPES = re.compile(r"(?<!\\)((?:\\\\)*)\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)


def is_listed(text: str) -> bool:
    """Whether `text` begins as a list of observations or of reports does."""
    return _LISTED.match(text) is not None


def top_of(text: str, filename: str) -> Node:
    """The document in `text`; observations in a list or one a line are those of one report.

    Raises:
        IntakeError: `text` holds several reports, or is no document; with the place.
    """
    text = _TWO_ESCAPES.sub(_one_character, text)
    lines = [line.strip() for line in text.splitlines()]
    whole = [line for line in lines if line]
    is_by_line = len(whole) > 1 and all(line.startswith("{") and line.endswith("}") for line in whole)
    top = read_document(_as_list(lines) if is_by_line else text, filename)
    if not isinstance(top, Items) or not top.held:
        return top
    first, *others = top.held
    if not isinstance(first, Keys) or not (OBSERVATIONS in first.held or first.held.keys() & _NAMES):
        return top
    if OBSERVATIONS not in first.held:
        return Keys(top.at, {OBSERVATIONS: top}, {OBSERVATIONS: top.at})
    if others:
        what = f"{len(top.held)} reports stand here, and each is of another system"
        fix = "give one of them: head -n 1 FILE | knockon diagnose -"
        raise refused("several-reports", what, at=others[0].at, expected="one report", fix=fix)
    return first


def _as_list(lines: list[str]) -> str:
    """Objects that stand one a line as one list with the same lines; blank ones stay."""
    filled = [at for at, line in enumerate(lines) if line]
    text = [f"{line}," if line and at != filled[-1] else line for at, line in enumerate(lines)]
    return "[" + "\n".join(text) + "]"


def _one_character(match: re.Match[str]) -> str:
    both = int(match[2], 16).to_bytes(2, "big") + int(match[3], 16).to_bytes(2, "big")
    return match[1] + both.decode("utf-16-be")
