"""What a name in a flat mapping means: a reading by its own name, by one that people use for it, or cannot be told."""

import re
from dataclasses import dataclass
from difflib import get_close_matches

from knockon.expr.vocabulary import NameInfo, Vocabulary, nearest
from knockon.sources.amount import shown, unit_called
from knockon.sources.readings.aliases import aliases
from knockon.sources.readings.names import may_be, named
from knockon.sources.readings.spelling import plain
from knockon.sources.readings.words import words
from knockon.terms.errors import Problem
from knockon.terms.limits import SUGGESTIONS_MAX

# A longer name is none; what is near it need not be looked for.
_NAME_MAX = 200
# One slip in six letters.
_ALMOST = 0.8
# "TTFT p95 (ms)", "power [W]"; without brackets see `Words.without_unit`.
_WITH_UNIT = re.compile(r"(?P<name>.*\S)\s*[(\[](?P<unit>[^()\[\]]{1,20})[)\]]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Meant:
    """A name that is understood."""

    info: NameInfo
    is_own: bool
    """Whether it is the reading's own name, which says its unit."""
    is_complement: bool = False
    """The number is what the reading leaves of one: idle for busy."""
    unit: str = ""
    """The unit that stands behind the name; empty where there is none."""


def meant(name: str, vocabulary: Vocabulary) -> Meant | Problem:
    """The reading that `name` means, or why that cannot be told; nothing is guessed where it may be several."""
    info = vocabulary.get(name)
    if info is not None and info.kind == "reading":
        return Meant(info, is_own=True)
    if info is not None:
        fix = f"it is a {info.kind}; facts stand under `facts`, beside `readings`"
        return Problem("unknown-reading", f"no reading is called {shown(name)}", fix=fix)
    bare, unit = _without_unit(name)
    found = tuple(one for one in named(bare, vocabulary) if unit or not one.alias.needs_unit)
    if len(found) == 1:
        return Meant(found[0].info, is_own=False, is_complement=found[0].alias.is_complement, unit=unit)
    several = may_be(bare, vocabulary) or tuple(one.info.name for one in found)
    if several:
        all_of_them = f"{', '.join(several[:-1])} or {several[-1]}"
        return Problem("ambiguous-reading", f"{shown(name)} may be {all_of_them}", fix="write the one that is meant")
    near = _near(bare, vocabulary) if len(name) <= _NAME_MAX else ()
    did_you = f"did you mean {' or '.join(repr(other) for other in near)}?" if near else ""
    listed = "`knockon catalog list readings` lists every reading"
    fix = "; ".join(part for part in (did_you, listed) if part)
    return Problem("unknown-reading", f"no reading is called {shown(name)}", fix=fix)


def _near(name: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The readings of which people use almost that name; where there are none, those with the nearest names."""
    known = vocabulary.readings
    by_name = aliases().by_name
    said = get_close_matches(plain(name), by_name, n=SUGGESTIONS_MAX, cutoff=_ALMOST)
    found = tuple(dict.fromkeys(by_name[one].reading for one in said if by_name[one].reading in known))
    return found or nearest(name, known)


def _without_unit(name: str) -> tuple[str, str]:
    match = _WITH_UNIT.fullmatch(name) if len(name) <= _NAME_MAX else None
    if match is None:
        return words().without_unit(name)
    try:
        unit_called(match["unit"].strip())
    except ValueError:
        # "(p95)", "(GPU 0)": no unit, so a part of the name.
        return name, ""
    return match["name"], match["unit"].strip()
