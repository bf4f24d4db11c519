"""Every expression parses, uses names it may use, and fits in types and units; complaints point inside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from knockon.curate.build import Steps
from knockon.curate.checks.constants import Found, constant_of, values_missing
from knockon.curate.checks.vocabulary import unit_of
from knockon.curate.nearest import meant
from knockon.curate.tree import Located, Tree
from knockon.expr.check import check, check_condition
from knockon.expr.condition import parsed
from knockon.expr.fit import Typed
from knockon.expr.names import names_in
from knockon.expr.nodes import Compare, Name, Node, Number
from knockon.expr.normal import normal
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, NameKind, Vocabulary
from knockon.terms.body import Body, part, parts, string, strings
from knockon.terms.errors import ExpressionError, LimitExceeded, Problem
from knockon.terms.place import Position
from knockon.terms.words import Json

_FACTS: frozenset[NameKind] = frozenset(("fact",))
# The catalog's conditions are about a deployment, and may mention what is measured on it.
_CATALOG: frozenset[NameKind] = frozenset(("fact", "reading"))
_DERIVED = "derived"
_ALL: frozenset[NameKind] = frozenset(("fact", "reading", "threshold"))


@dataclass(frozen=True, slots=True)
class Site:
    """One expression: where it stands, and which kinds of names make sense there."""

    located: Located
    steps: Steps
    text: str
    kinds: frozenset[NameKind]


def problems(tree: Tree, vocabulary: Vocabulary) -> Iterator[Problem]:
    """What is wrong with the expressions of techniques, quantities and rules."""
    if not vocabulary.names:
        return
    fine: set[tuple[str, frozenset[NameKind]]] = set()
    for located in tree.located:
        for site in _conditions(located):
            # Catalogs say the same condition many times over; one good look at each is enough.
            if (site.text, site.kinds) not in fine:
                found = list(_condition(site, vocabulary))
                yield from found
                if not found:
                    fine.add((site.text, site.kinds))
        if located.entry.kind == "technique":
            yield from _set(located, (), "enable", vocabulary)
        elif located.entry.kind == "couple":
            yield from _couple(located, vocabulary)
        elif located.entry.kind == "diagnose":
            yield from _named(located, vocabulary, "observes", "reading", "fact")
            yield from _named(located, vocabulary, "invalidates", "reading")
            yield from _named(located, vocabulary, "told_apart_by", "reading", "fact")
            yield from _named(located, vocabulary, "asked_with", "reading", "fact")
        elif located.entry.kind == "symptom":
            yield from _named(located, vocabulary, "measure", "reading")


def text_of(value: Json) -> str:
    """A YAML scalar as an expression: numbers, true and false are literals of the language."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def names_known_to(body: Body, vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary and the names a couple rule derives; steps that do not hold keep their name, without a unit."""
    names = dict(vocabulary.names)
    for step in parts(body, "derive"):
        names[string(step, "name")] = _step_info(step, Vocabulary(names))
    return Vocabulary(names)


def _conditions(located: Located) -> Iterator[Site]:
    body = located.entry.body
    match located.entry.kind:
        case "technique":
            for group in ("shifts", "needs", "relations"):
                yield from _whens(located, group, _CATALOG)
            if "detect" in body:
                yield Site(located, ("detect",), string(body, "detect"), _FACTS)
        case "quantity":
            yield from _whens(located, "influences", _CATALOG)
        case "couple":
            yield Site(located, ("when",), string(body, "when"), _FACTS)
        case "diagnose":
            yield from _own(located, "when", "leave")
            for group in ("supports", "against"):
                yield from (Site(located, (group, i), text, _ALL) for i, text in enumerate(strings(body, group)))
        case "wall":
            yield from _own(located, "crosses")
            yield from (
                Site(located, ("refuted_by", i), text, _ALL) for i, text in enumerate(strings(body, "refuted_by"))
            )
        case "profile" if "load_when" in (key := part(body, "for")):
            yield Site(located, ("for", "load_when"), string(key, "load_when"), _CATALOG)


def _own(located: Located, *keys: str) -> Iterator[Site]:
    body = located.entry.body
    yield from (Site(located, (key,), string(body, key), _ALL) for key in keys if key in body)


def _whens(located: Located, group: str, kinds: frozenset[NameKind]) -> Iterator[Site]:
    for index, item in enumerate(parts(located.entry.body, group)):
        if "when" in item:
            yield Site(located, (group, index, "when"), string(item, "when"), kinds)


def _condition(site: Site, vocabulary: Vocabulary) -> Iterator[Problem]:
    try:
        node = parsed(site.text)
        check_condition(node, vocabulary, text=site.text)
    except ExpressionError as error:
        yield _said(error, site)
    except LimitExceeded as error:
        yield _too_much(error, site)
    else:
        yield from _wrong_kinds(node, site, vocabulary)
        if found := constant_of(node, vocabulary):
            yield _decides_nothing(found, site, "constant-condition", "a condition that can hold and can fail")


def _decides_nothing(found: Found, site: Site, code: str, expected: str) -> Problem:
    return _said(ExpressionError(Problem(code, found.what, expected), text=site.text, span=found.span), site)


def _wrong_kinds(node: Node, site: Site, vocabulary: Vocabulary) -> Iterator[Problem]:
    for name in sorted(names_in(node)):
        info = vocabulary.names[name]
        if info.kind not in site.kinds:
            mention = re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", site.text)
            at = site.located.inside(*site.steps, offset=mention.start() if mention else 0)
            expected = f"a {' or '.join(sorted(site.kinds))}"
            yield Problem("wrong-kind-of-name", f"{name!r} is a {info.kind}", expected, "", at)


def _couple(located: Located, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Derivation steps in order, each knowing the ones before; then what is computed with all of them."""
    body = located.entry.body
    yield from _named(located, vocabulary, "asked_with", "fact")
    known = dict(vocabulary.names)
    for index, step in enumerate(parts(body, "derive")):
        site = Site(located, ("derive", index, "value"), text_of(step["value"]), _FACTS)
        yield from _step(step, site, Vocabulary(known))
        known[string(step, "name")] = _step_info(step, Vocabulary(known))
    derived = Vocabulary(known)
    for index, shift in enumerate(parts(body, "shifts")):
        if "factor" in shift:
            site = Site(located, ("shifts", index, "factor"), text_of(shift["factor"]), _FACTS)
            yield from _value(site, derived)
            factor = _constant(site.text)
            if factor is not None and factor < 0:
                yield Problem("out-of-range", f"the factor is {factor:g}", "at least 0", at=located.at(*site.steps))
    for index, fix in enumerate(parts(body, "fixes")):
        yield from _fix(located, ("fixes", index), fix, derived)
        yield from _set_by_itself(located, ("fixes", index), fix, derived)


def _constant(text: str) -> int | float | None:
    """The number that an expression without names is, in base units; None for any other."""
    try:
        node = normal(parse(text))
    except (ExpressionError, LimitExceeded):
        return None
    return node.value if isinstance(node, Number) and not node.unit else None


def _set_by_itself(located: Located, steps: Steps, fix: Body, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Facts that follow from others: nobody can set them."""
    derived = {string(step, "name") for step in parts(located.entry.body, "derive")}
    for name in part(fix, "set"):
        info = vocabulary.names.get(name)
        if name in derived or (info is not None and info.group_or_class == _DERIVED):
            what, expected = f"{name!r} is derived from other facts", "a fact that people set"
            fix_with = "set one of the facts it follows from"
            yield Problem("sets-derived-fact", what, expected, fix_with, located.key_at(*steps, "set", name))


def _step(step: Body, site: Site, vocabulary: Vocabulary) -> Iterator[Problem]:
    try:
        node = parse(site.text)
        typed = check(node, vocabulary, text=site.text)
    except ExpressionError as error:
        yield _said(error, site)
        return
    except LimitExceeded as error:
        yield _too_much(error, site)
        return
    yield from _wrong_kinds(node, site, vocabulary)
    yield from _without_value(node, site)
    stated = unit_of(string(step, "unit", "1"))
    if stated is not None and not typed.is_bare and typed.unit != stated:
        steps = (*site.steps[:-1], "unit" if "unit" in step else "value")
        what = f"the value is in {str(typed.unit)!r}, the step says {string(step, 'unit', '1')!r}"
        yield Problem("other-unit", what, "the same unit", f"write `unit: {typed.unit}`", site.located.at(*steps))


def _fix(located: Located, steps: Steps, fix: Body, vocabulary: Vocabulary) -> Iterator[Problem]:
    if "when" in fix:
        yield from _condition(Site(located, (*steps, "when"), string(fix, "when"), _FACTS), vocabulary)
    sets = part(fix, "set")
    yield from _set(located, steps, "set", vocabulary, of=fix)
    bounds = cast("list[Json]", fix.get("range") or [])
    for index, bound in enumerate(bounds):
        # The range is that of the one fact which is set; with several it would be nobody's.
        of = next(iter(sets)) if len(sets) == 1 and next(iter(sets)) in vocabulary.names else None
        yield from _value(Site(located, (*steps, "range", index), text_of(bound), _FACTS), vocabulary, of=of)
    if "range" in fix and len(sets) != 1:
        what = f"the fix has a range and sets {len(sets)} facts"
        yield Problem("range-of-nothing", what, "exactly one fact with a range", "", located.at(*steps, "range"))
    low, high = [_constant(text_of(bound)) for bound in bounds] or (None, None)
    if low is not None and high is not None and low > high:
        what = f"the range goes from {low:g} down to {high:g}"
        yield Problem("bad-range", what, "the smaller bound first", "", located.at(*steps, "range"))


def _set(
    located: Located, steps: Steps, key: str, vocabulary: Vocabulary, *, of: Body | None = None
) -> Iterator[Problem]:
    """Facts under `key` that are set, each to the value of an expression."""
    for name, value in part(located.entry.body if of is None else of, key).items():
        site = Site(located, (*steps, key, name), text_of(value), _FACTS)
        info = vocabulary.names.get(name)
        if info is None or info.kind != "fact":
            yield _unknown(name, vocabulary, "fact", located.key_at(*site.steps))
        else:
            yield from _value(site, vocabulary, of=name)


def _value(site: Site, vocabulary: Vocabulary, *, of: str | None = None) -> Iterator[Problem]:
    """An expression for a value; `of` is the fact it becomes the value of, with whose type and unit it must agree."""
    try:
        node = parse(site.text)
        typed = check(node, vocabulary, text=site.text)
    except ExpressionError as error:
        yield _said(error, site)
        return
    except LimitExceeded as error:
        yield _too_much(error, site)
        return
    yield from _wrong_kinds(node, site, vocabulary)
    yield from _without_value(node, site)
    if of is not None:
        yield from _assigned(of, node, typed, site, vocabulary)


def _without_value(node: Node, site: Site) -> Iterator[Problem]:
    for found in values_missing(node):
        yield _decides_nothing(found, site, "no-value", "something that can be computed")


def _assigned(of: str, node: Node, typed: Typed, site: Site, vocabulary: Vocabulary) -> Iterator[Problem]:
    """A value fits a fact exactly when the language lets one compare the two."""
    try:
        check(Compare("==", Name(of, node.span), node, node.span), vocabulary, text=site.text)
    except ExpressionError as error:
        problem = _said(error, site)
        if problem.code in ("type-mismatch", "unit-mismatch"):
            info = vocabulary.names[of]
            wanted = Typed(info.type, info.unit)
            problem = replace(problem, what=f"{of!r} is {wanted}, the value is {typed}", expected=str(wanted), fix="")
        yield problem


def _named(located: Located, vocabulary: Vocabulary, key: str, *kinds: NameKind) -> Iterator[Problem]:
    """A list of plain names that must be of one of these kinds; complaints name the first."""
    for index, name in enumerate(strings(located.entry.body, key)):
        info = vocabulary.names.get(name)
        if info is None or info.kind not in kinds:
            yield _unknown(name, vocabulary, kinds[0], located.at(key, index))


def _unknown(name: str, vocabulary: Vocabulary, kind: NameKind, at: Position) -> Problem:
    fix = meant(name, (known for known, info in vocabulary.names.items() if info.kind == kind))
    return Problem("unknown-name", f"no {kind} is called {name!r}", "", fix or "add it to rules/vocabulary.yaml", at)


def _said(error: ExpressionError, site: Site) -> Problem:
    """What the language says, at the place in the YAML text, with the line and carets below."""
    problem = error.problem
    at = site.located.inside(*site.steps, offset=error.span.start)
    return Problem(problem.code, problem.what, problem.expected, problem.fix, at, excerpt=error.caret)


def _too_much(error: LimitExceeded, site: Site) -> Problem:
    problem = error.problem
    return Problem(problem.code, problem.what, problem.expected, problem.fix, site.located.at(*site.steps))


def _step_info(step: Body, vocabulary: Vocabulary) -> NameInfo:
    name, text = string(step, "name"), text_of(step["value"])
    try:
        typed = check(parse(text), vocabulary, text=text)
    except (ExpressionError, LimitExceeded):
        return NameInfo(name, "fact", "number")
    return NameInfo(name, "fact", typed.type, typed.unit)
