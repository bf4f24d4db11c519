"""Every rule ships examples that fire, are silent and cannot tell; a diagnose rule one at a level of its condition."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from knockon.backends.python.reasons import atoms_of
from knockon.backends.python.walk import value_of
from knockon.curate.checks.vocabulary import DEFAULT_PROFILE
from knockon.curate.forms import shown
from knockon.curate.nearest import meant
from knockon.curate.tree import Located, Tree
from knockon.expr.condition import parsed
from knockon.expr.nodes import Compare
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.body import Body, part, parts, string
from knockon.terms.errors import ExpressionError, LimitExceeded, Problem
from knockon.terms.words import Scalar

_OUTCOMES = ("fires", "silent", "unknown")
_TYPES = {
    "int": "a whole number",
    "number": "a number",
    "bool": "true or false",
    "text": "a text",
    "version": 'a version in quotes, like "0.10.2"',
}


def problems(tree: Tree, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Outcomes and levels without an example, values of examples that cannot be, names of examples used twice."""
    for kind in ("couple", "diagnose"):
        for located in tree.of_kind(kind).values():
            examples = parts(located.entry.body, "examples")
            shown_outcomes = {string(example, "expect") for example in examples}
            for outcome in _OUTCOMES:
                if outcome not in shown_outcomes:
                    what = f"no example of {located.entry.key} expects {outcome!r}"
                    at = located.key_at("examples")
                    yield Problem("missing-example", what, f"one each of {', '.join(_OUTCOMES)}", "add one", at)
            yield from _repeated(located, examples)
            if kind == "diagnose" and vocabulary.names:
                yield from _without_boundary(located, examples, _levels(tree))
            for index, example in enumerate(examples) if vocabulary.names else ():
                yield from _given(located, index, part(example, "given"), vocabulary)


def _levels(tree: Tree) -> dict[str, Scalar]:
    """The thresholds of the default profile, as conditions name them."""
    profile = tree.of_kind("profile").get(DEFAULT_PROFILE)
    thresholds = part(profile.entry.body, "thresholds") if profile is not None else {}
    return {f"threshold.{key}": cast("float", part(thresholds, key)["value"]) for key in thresholds}


def _without_boundary(located: Located, examples: Sequence[Body], levels: Mapping[str, Scalar]) -> Iterator[Problem]:
    """A rule that compares by order shows what it does where both sides are equal: `>` and `>=` differ only there."""
    try:
        atoms = atoms_of(parsed(string(located.entry.body, "when")))
    except (ExpressionError, LimitExceeded):
        # checks/expressions.py says so.
        return
    ordered = [atom for atom in atoms if isinstance(atom, Compare) and atom.operator not in ("==", "!=")]
    given = [{**levels, **cast("Mapping[str, Scalar]", part(example, "given"))} for example in examples]
    # Without a default profile there are no levels, which is complained about elsewhere.
    if ordered and levels and not any(_is_level(atom, values) for atom in ordered for values in given):
        what = f"no example of {located.entry.key} stands exactly at a level of its condition"
        expected = "one where a reading is equal to what it is compared with"
        yield Problem("missing-boundary", what, expected, "add one", located.key_at("examples"))


def _is_level(atom: Compare, values: Mapping[str, Scalar]) -> bool:
    left, right = value_of(atom.left, values), value_of(atom.right, values)
    if isinstance(left, str) or isinstance(right, str) or left is None or right is None:
        return left is not None and left == right
    return math.isclose(left, right, rel_tol=1e-12)


def _repeated(located: Located, examples: Sequence[Body]) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, example in enumerate(examples):
        name = string(example, "name")
        if name in seen:
            at = located.at("examples", index, "name")
            yield Problem("repeated-item", f"two examples are called {name!r}", "a name for each", "", at)
        seen.add(name)


def _given(located: Located, index: int, given: Body, vocabulary: Vocabulary) -> Iterator[Problem]:
    is_couple = located.entry.kind == "couple"
    for name, value in given.items():
        info = vocabulary.names.get(name)
        steps = ("examples", index, "given", name)
        if info is None:
            fix = meant(name, vocabulary.names) or "add it to rules/vocabulary.yaml"
            yield Problem("unknown-name", f"no name is called {name!r}", "", fix, located.key_at(*steps))
        elif is_couple and info.kind != "fact":
            what = f"{name!r} is a {info.kind}"
            yield Problem("wrong-kind-of-name", what, "a fact", "", located.key_at(*steps))
        elif expected := _expected(info, cast("Scalar", value)):
            fix = meant(value, info.options) if info.options else ""
            what = f"{name} is {shown(value)}"
            yield Problem("impossible-value", what, expected, fix, located.at(*steps))


def _expected(info: NameInfo, value: Scalar) -> str:
    """What the vocabulary expects instead of `value`; empty when it is possible."""
    if not _is_of(info, value):
        return _TYPES[info.type]
    if isinstance(value, int | float) and not isinstance(value, bool):
        if info.above is not None and value <= info.above:
            return f"over {info.above:g}"
        if info.minimum is not None and value < info.minimum:
            return f"at least {info.minimum:g}"
        if info.maximum is not None and value > info.maximum:
            return f"at most {info.maximum:g}"
    return f"one of {', '.join(info.options)}" if info.options and value not in info.options else ""


def _is_of(info: NameInfo, value: Scalar) -> bool:
    match info.type:
        case "bool":
            return isinstance(value, bool)
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "text" | "version":
            return isinstance(value, str)
