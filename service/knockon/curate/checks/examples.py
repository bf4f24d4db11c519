"""Every rule ships with an example that fires, one that is silent and one that cannot tell, over values that can be."""

from collections.abc import Iterator, Sequence
from typing import cast

from knockon.curate.nearest import meant
from knockon.curate.shapes.base import shown
from knockon.curate.tree import Located, Tree
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.body import Body, part, parts, string
from knockon.terms.errors import Problem
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
    """Outcomes without an example, examples over unknown names or impossible values, names of examples used twice."""
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
            for index, example in enumerate(examples) if vocabulary.names else ():
                yield from _given(located, index, part(example, "given"), vocabulary)


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
