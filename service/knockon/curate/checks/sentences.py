"""Fields in sentences of rules: `{name}` is known where it is filled, written right, and in both languages."""

import re
from collections.abc import Iterator

from knockon.curate.build import Steps
from knockon.curate.checks.expressions import names_known_to
from knockon.curate.nearest import meant
from knockon.curate.tree import Located, Tree
from knockon.expr.vocabulary import Vocabulary
from knockon.rules.fill import FIELD, fields_in
from knockon.terms.body import Body, part, parts, string
from knockon.terms.errors import Problem

_BRACED = re.compile(r"\{[^{}]*\}?|\}")


def problems(tree: Tree, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Fields that would read "unknown", braces that are no field, and languages that fill different names."""
    if not vocabulary.names:
        return
    for located in tree.of_kind("couple").values():
        known = names_known_to(located.entry.body, vocabulary)
        for pair, steps in _filled_in_couple(located.entry.body):
            yield from _pair(located, pair, steps, known)
    for located in tree.of_kind("diagnose").values():
        yield from _pair(located, part(located.entry.body, "says"), ("says",), vocabulary)


def _filled_in_couple(body: Body) -> Iterator[tuple[Body, Steps]]:
    """The language pairs whose fields are filled when the rule fires."""
    yield part(body, "says"), ("says",)
    yield from ((remark, ("remarks", index)) for index, remark in enumerate(parts(body, "remarks")))
    yield from ((part(step, "says"), ("derive", index, "says")) for index, step in enumerate(parts(body, "derive")))
    for index, fix in enumerate(parts(body, "fixes")):
        yield part(fix, "says"), ("fixes", index, "says")
        yield from ((text, ("fixes", index, "knock_on", i)) for i, text in enumerate(parts(fix, "knock_on")))


def _pair(located: Located, pair: Body, steps: Steps, known: Vocabulary) -> Iterator[Problem]:
    for language in ("en", "zh"):
        yield from _sentence(located, string(pair, language), (*steps, language), known)
    english, chinese = (fields_in(string(pair, language)) for language in ("en", "zh"))
    if english != chinese:
        lone = ", ".join(f"{{{name}}}" for name in sorted(english ^ chinese))
        what = f"only one language has {lone}"
        yield Problem("uneven-fields", what, "the same fields in both languages", "", located.at(*steps))


def _sentence(located: Located, text: str, steps: Steps, known: Vocabulary) -> Iterator[Problem]:
    for braced in _BRACED.finditer(text):
        field = FIELD.fullmatch(braced.group())
        if field is not None and field.group(1) in known.names:
            continue
        at = located.inside(*steps, offset=braced.start())
        if field is None:
            expected = "{name}, {name:bytes}, {name:percent}, {name:number} or {name:tokens}"
            yield Problem("bad-field", f"{braced.group()} is no field", expected, "", at)
        else:
            fix = meant(field.group(1), known.names) or "derive it, or take it out"
            yield Problem("unfilled-name", f"nothing fills {braced.group()}", "", fix, at)
