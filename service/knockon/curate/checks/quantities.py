"""Quantities are touched by something, pull on others and not on themselves, and lie where shifts say they lie."""

import re
from collections.abc import Iterator

from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part, parts, string
from knockon.terms.errors import Problem

_OPPOSITE = {"up": "down", "down": "up"}
# Words that tell which way something goes or how two states compare. `breaks` shows the sentence of an influence
# beside an arrow, whether the cause rises or falls: "more bytes give more blocks" is wrong beside a falling one.
_LEANING = {
    "en": re.compile(
        r"\b(more|less|fewer|larger|smaller|bigger|longer|shorter|sooner|earlier|faster|slower|quicker|higher|lower|greater"
        r"|better|worse|cheaper|rarer|grow(s|ing)?|shrink(s|ing)?|ris(es?|ing)|falls|falling|drops|dropping|increas(es?|ing)"
        r"|decreas(es?|ing)|reduc(es|ing)|lengthens?|shortens?|raises?|lowers|improves?|worsens?|saves?|saving)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        "越|更[^新换]|变[长短大小多少快慢高低好差]|减少|减小|增加|增大|增长|提高|降低|上升|下降|升高|加快|加速(?!器)|缩短|延长|节省|省去"
    ),
}


def problems(tree: Tree) -> Iterator[Problem]:
    """Shifts that do not agree with their quantity, influences that make no sense, one-way sentences, and orphans."""
    for located in (*tree.of_kind("technique").values(), *tree.of_kind("couple").values()):
        yield from _misplaced_shifts(tree, located)
    for located in tree.of_kind("technique").values():
        yield from _against_better(tree, located)
    for key, located in tree.of_kind("quantity").items():
        yield from _odd_influences(key, located)
        yield from _one_way_sentences(located)
    if not tree.problems:
        yield from _orphans(tree)


def _misplaced_shifts(tree: Tree, located: Located) -> Iterator[Problem]:
    axes = [axes.entry.body for axes in tree.of_kind("axes").values()]
    known = {value for body in axes for axis in ("dimensions", "burdens") for value in part(body, axis)}
    for index, shift in enumerate(parts(located.entry.body, "shifts")):
        quantity = tree.of_kind("quantity").get(string(shift, "quantity"))
        # What no axis has is a problem of checks/axes.py already.
        if quantity is not None and quantity.entry.body["of"] != shift["onto"] and shift["onto"] in known:
            onto, of = shift["onto"], quantity.entry.body["of"]
            what = f"the shift lands on {onto!r}, but {string(shift, 'quantity')!r} is of {of!r}"
            fix, at = "name that dimension or burden, or another quantity", located.at("shifts", index, "onto")
            yield Problem("onto-other-than-quantity", what, "the two to agree", fix, at)


def _against_better(tree: Tree, located: Located) -> Iterator[Problem]:
    """A gain moves its quantity where it is better, a cost where it is worse; a shift that does not is mislabelled."""
    for index, shift in enumerate(parts(located.entry.body, "shifts")):
        name, effect = string(shift, "quantity"), string(shift, "effect")
        quantity = tree.of_kind("quantity").get(name)
        if quantity is None:
            continue
        better = string(quantity.entry.body, "better")
        wanted = better if effect == "gain" else _OPPOSITE[better]
        if shift["change"] != wanted:
            what = f"a {effect} turns {name!r} {shift['change']}, and {better} is better"
            fix = "call it a " + ("cost" if effect == "gain" else "gain") + ", or turn the change round"
            at = located.at("shifts", index, "change")
            yield Problem("effect-against-better", what, f"{wanted} for a {effect}", fix, at)


def _odd_influences(key: str, located: Located) -> Iterator[Problem]:
    signs: dict[tuple[str, str], str] = {}
    for index, influence in enumerate(parts(located.entry.body, "influences")):
        on, sign, steps = string(influence, "on"), string(influence, "sign"), ("influences", index, "on")
        if on == key:
            what, fix = f"{key!r} influences itself", "name what lies between"
            yield Problem("self-influence", what, "another quantity", fix, located.at(*steps))
        first = signs.setdefault((on, string(influence, "when")), sign)
        if first != sign:
            what = f"{key!r} influences {on!r} with both signs under the same condition"
            fix = "give each its `when`, or remove one"
            yield Problem("contradicting-influence", what, "one sign", fix, located.at(*steps))
        elif sum(_same(influence, other) for other in parts(located.entry.body, "influences")[:index]):
            what = f"{key!r} influences {on!r} twice alike"
            yield Problem("repeated-item", what, "each influence once", "", located.at(*steps))


def _one_way_sentences(located: Located) -> Iterator[Problem]:
    for index, influence in enumerate(parts(located.entry.body, "influences")):
        says = part(influence, "says")
        for language, leaning in _LEANING.items():
            if found := leaning.search(string(says, language)):
                what = f"{found[0]!r} is true in one direction only, and this is shown for both"
                fix, at = "say what follows from what", located.at("influences", index, "says", language)
                yield Problem("one-way-sentence", what, "words that hold whether the cause rises or falls", fix, at)


def _same(one: Body, other: Body) -> bool:
    return all(one.get(key) == other.get(key) for key in ("on", "sign", "when"))


def _orphans(tree: Tree) -> Iterator[Problem]:
    touched = {
        string(shift, "quantity")
        for located in (*tree.of_kind("technique").values(), *tree.of_kind("couple").values())
        for shift in parts(located.entry.body, "shifts")
    }
    for key, located in tree.of_kind("quantity").items():
        influences = parts(located.entry.body, "influences")
        touched |= {string(influence, "on") for influence in influences} | ({key} if influences else set())
    for key, located in tree.of_kind("quantity").items():
        if key not in touched:
            what, fix = f"no shift and no influence touches {key!r}", "connect it, or remove it"
            yield Problem("orphan-quantity", what, "at least one", fix, located.key_at())
