"""Every rule ships examples that fire, are silent and cannot tell, and one at each turning point of its condition."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from knockon.curate.checks.vocabulary import DEFAULT_PROFILE
from knockon.curate.forms import shown
from knockon.curate.nearest import meant
from knockon.curate.tree import Located, Tree
from knockon.expr.condition import parsed
from knockon.expr.show import show
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.rules.boundary import turning_points
from knockon.terms.body import Body, part, parts, string
from knockon.terms.errors import ExpressionError, LimitExceeded, Problem
from knockon.terms.words import Scalar

Levels = Mapping[str, Scalar]
"""The thresholds of the default profile, as conditions name them."""

_OUTCOMES = ("fires", "silent", "unknown")
_TYPES = {
    "int": "a whole number",
    "number": "a number",
    "bool": "true or false",
    "text": "a text",
    "version": 'a version in quotes, like "0.10.2"',
}


def problems(tree: Tree, vocabulary: Vocabulary, levels: Levels) -> Iterator[Problem]:
    """Outcomes and turning points without an example, values that cannot be, names of examples used twice."""
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
            # Without a default profile diagnose rules have no levels, which is complained about elsewhere.
            if vocabulary.names and (levels or kind == "couple"):
                yield from _without_boundary(located, examples, levels, vocabulary)
            for index, example in enumerate(examples) if vocabulary.names else ():
                yield from _given(located, index, part(example, "given"), vocabulary)


def levels_of(tree: Tree) -> Levels:
    """The thresholds of the default profile, under the names that conditions use."""
    profile = tree.of_kind("profile").get(DEFAULT_PROFILE)
    thresholds = part(profile.entry.body, "thresholds") if profile is not None else {}
    return {f"threshold.{key}": cast("float", part(thresholds, key)["value"]) for key in thresholds}


def _without_boundary(
    located: Located, examples: Sequence[Body], levels: Levels, vocabulary: Vocabulary
) -> Iterator[Problem]:
    """Every comparison that turns is shown exactly at its point, and one of them decides there."""
    try:
        points = turning_points(parsed(string(located.entry.body, "when")), vocabulary)
    except (ExpressionError, LimitExceeded):
        # checks/expressions.py says so.
        return
    given = [{**levels, **cast("Mapping[str, Scalar]", part(example, "given"))} for example in examples]
    unmet = False
    hangs = not points
    for point in points:
        met = [values for values in given if point.is_at(values, vocabulary)]
        hangs = hangs or any(point.decides(values, vocabulary) for values in met)
        if not met:
            unmet = True
            what = f"no example of {located.entry.key} stands exactly where `{show(point.of)}` turns"
            at = located.inside("when", offset=point.of.span.start)
            yield Problem("missing-boundary", what, "one where both sides are equal", "add one", at)
    if not (unmet or hangs):
        what = f"no example of {located.entry.key} hangs on the comparison at whose turning point it stands"
        expected = "one in which the rest of the condition leaves it to that comparison"
        yield Problem("missing-boundary", what, expected, "add one", located.key_at("examples"))


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
        elif expected := expected_of(info, cast("Scalar", value)):
            fix = meant(value, info.options) if info.options else ""
            what = f"{name} is {shown(value)}"
            yield Problem("impossible-value", what, expected, fix, located.at(*steps))


def expected_of(info: NameInfo, value: Scalar) -> str:
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
