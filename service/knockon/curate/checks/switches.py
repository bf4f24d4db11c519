"""What techniques say of engines: that there is such a program, that it has the switch, that the fact has the value."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from knockon.catalog.names import folded
from knockon.curate.build import Steps
from knockon.curate.nearest import meant
from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part, parts, string, strings
from knockon.terms.errors import Problem

# A clause that is a flag. What another program of the engine takes has that program's words in front.
_CLAUSE = re.compile(r"[;,]\s*")
_FLAGS = re.compile(r"(?:on unless )?-")
_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
# `kv_cache_dtype == "fp8"`, `quantization in ["awq", "gptq"]`.
_COMPARED = re.compile(r"\b([a-z]\w*)\s*(?:[=!]=\s*\"([^\"]*)\"|(?:not\s+)?in\s*[\[({]([^\])}]*))")
_QUOTED = re.compile(r'"([^"]*)"')
# The same thing of the other server of a pair, as it was asked for, and as it is used in the end.
_OF_OTHERS = re.compile(r"^peer_|_in_use$|_asked$")
# What stands for "not set" in texts.
_NOTHING = frozenset(("", "none", "auto"))


@dataclass(frozen=True, slots=True)
class Engines:
    """What is known of the engines whose flags can be read."""

    flags: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Every spelling of each one's flags, with dashes, of the newest release and of those before it."""
    values: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What the flags that list their values can say of a fact."""


def problems(tree: Tree, engines: Engines) -> Iterator[Problem]:
    """Programs that nobody names, flags that an engine never had, values that no engine knows.

    Args:
        tree: what could be read.
        engines: what is known of engines; without any there is nothing to hold against.
    """
    if not engines.flags:
        return
    techniques = tree.of_kind("technique")
    named = Counter(name for one in techniques.values() for name in part(one.entry.body, "engines"))
    told = _told(tree)
    sources = ""
    for located in techniques.values():
        body = located.entry.body
        for name in part(body, "engines"):
            if named[name] == 1 and name not in engines.flags:
                sources = sources or folded(_sources(tree))
                if folded(name) in sources:
                    continue
                what = f"only {located.entry.key!r} names a program {name!r}, and no source does"
                known = {*engines.flags, *(each for each, count in named.items() if count > 1)}
                fix = meant(name, known) or "cite a source that names it"
                at = located.key_at("engines", name)
                expected = "an engine or framework that another technique or a source names"
                yield Problem("unknown-engine", what, expected, fix, at)
        yield from _switches(located, engines)
        yield from _values(located, engines, told)


def _sources(tree: Tree) -> str:
    """Ids, titles and addresses of all sources, as names are compared."""
    bodies = ((key, one.entry.body) for key, one in tree.of_kind("citation").items())
    return "\n".join(f"{key} {string(body, 'title')} {string(body, 'url')}" for key, body in bodies)


def _switches(located: Located, engines: Engines) -> Iterator[Problem]:
    for name, one in part(located.entry.body, "engines").items():
        flags = engines.flags.get(name, frozenset())
        switch = string(one, "switch") if isinstance(one, dict) else ""
        for clause in _CLAUSE.split(switch) if flags else ():
            for flag in _FLAG.findall(clause) if _FLAGS.match(clause) else ():
                if flag not in flags and flag.replace("_", "-") not in flags:
                    at = located.at("engines", name, "switch")
                    fix = meant(flag, flags) or "write the program in front of a flag of another one"
                    what = f"{name} never had the flag {flag}"
                    yield Problem("unknown-switch", what, f"a flag that some release of {name} takes", fix, at)


def _values(located: Located, engines: Engines, told: Mapping[str, set[str]]) -> Iterator[Problem]:
    """Compared and set texts; what a rule compares with is known, and what the technique's own switch says."""
    body = located.entry.body
    own: str | None = None
    for fact, value, steps in _compared(body):
        known = engines.values.get(_OF_OTHERS.sub("", fact))
        if known is None or value in _NOTHING or value.casefold() in known or value in told.get(fact, ()):
            continue
        own = _own_words(body) if own is None else own
        if value.casefold() not in own:
            what = f"no engine, rule or switch knows the value {value!r} of {fact!r}"
            fix = meant(value, known | told.get(fact, set())) or "say in `engines` or `aliases` what sets it"
            yield Problem("unknown-value", what, f"a value that {fact} can have", fix, located.at(*steps))


def _own_words(body: Body) -> str:
    switches = [string(one, "switch") for one in part(body, "engines").values() if isinstance(one, dict)]
    return " ".join((*switches, *strings(part(body, "aliases"), "en"))).casefold()


def _compared(body: Body) -> Iterator[tuple[str, str, Steps]]:
    """Each fact, the text it is compared with or set to, and where."""
    for fact, value in part(body, "enable").items():
        for text in _QUOTED.findall(value) if isinstance(value, str) else ():
            yield fact, text, ("enable", fact)
    for text, steps in _conditions(body):
        yield from ((fact, value, steps) for fact, value in _comparisons(text))


def _comparisons(text: str) -> Iterator[tuple[str, str]]:
    """Each fact of a condition with each text that it is compared with."""
    for match in _COMPARED.finditer(text):
        values = [match[2]] if match[2] is not None else _QUOTED.findall(match[3])
        yield from ((match[1], value) for value in values)


def _conditions(body: Body) -> Iterator[tuple[str, Steps]]:
    if "detect" in body:
        yield string(body, "detect"), ("detect",)
    for group in ("shifts", "needs", "relations"):
        for index, item in enumerate(parts(body, group)):
            if "when" in item:
                yield string(item, "when"), (group, index, "when")


def _told(tree: Tree) -> Mapping[str, set[str]]:
    """What rules compare facts with: their own examples show that it can be."""
    found: dict[str, set[str]] = {}
    for located in tree.of_kind("couple").values():
        for text in _texts(located.entry.body):
            for fact, value in _comparisons(text):
                found.setdefault(fact, set()).add(value)
    return found


def _texts(body: Body) -> Iterator[str]:
    yield string(body, "when")
    yield from (string(fix, "when") for fix in parts(body, "fixes") if "when" in fix)
