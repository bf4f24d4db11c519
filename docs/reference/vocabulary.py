"""The page of the vocabulary: every name a condition may use."""

from collections.abc import Iterable

from docs.reference.markdown import both, code, page, table
from knockon.expr.vocabulary import NameInfo
from knockon.jobs.knowledge import Knowledge
from knockon.rules.rulebook import Rulebook


def vocabulary_page(knowledge: Knowledge) -> str:
    """Facts by group, readings by their class in the collection checklist."""
    book = knowledge.rulebook
    names = book.vocabulary.names.values()
    facts = [info for info in names if info.kind == "fact"]
    readings = [info for info in names if info.kind == "reading"]
    parts = ["## Facts"]
    for group, held in _groups(facts):
        parts += [f"### {group}", table(["name", "type", "possible", "means"], (_fact(info) for info in held))]
    parts.append("## Readings")
    for group, held in _groups(readings):
        columns = ["name", "type", "possible", "replicas", "means", "how"]
        parts += [f"### {group}", table(columns, (_reading(book, info) for info in held))]
    return page(
        "Vocabulary",
        f"{len(facts)} facts of a deployment and {len(readings)} readings of a running system. Thresholds are on "
        "[the page of rules](rules.md#profiles), under the profile that sets them. How units, types and missing values "
        "work is on [the page of the language](../language.md).",
        "rules/vocabulary.yaml",
        *parts,
    )


def _groups(infos: Iterable[NameInfo]) -> list[tuple[str, list[NameInfo]]]:
    groups: dict[str, list[NameInfo]] = {}
    for info in infos:
        groups.setdefault(info.group_or_class, []).append(info)
    return [*groups.items()]


def _fact(info: NameInfo) -> list[str]:
    return [code(info.name), value_type(info), possible(info), both(info.means)]


def _reading(book: Rulebook, info: NameInfo) -> list[str]:
    kind = book.readings[info.name]
    item = f"{kind.over_replicas}{f'; fills {kind.item}' if kind.item else ''}"
    how = "; ".join(f"{engine}: {code(text)}" for engine, text in kind.how.items())
    return [code(info.name), value_type(info), possible(info), item, both(info.means), how]


def value_type(info: NameInfo) -> str:
    """Type and unit of a name."""
    unit = str(info.unit)
    return info.type if not info.is_numeric or unit == "1" else f"{info.type} in {unit}"


def possible(info: NameInfo) -> str:
    """Options or range of a name."""
    if info.options:
        return ", ".join(map(code, info.options))
    low, high = info.minimum, info.maximum
    if low is not None and high is not None:
        return f"{low:,g} to {high:,g}"
    return f"{low:,g} or more" if low is not None else f"{high:,g} or less" if high is not None else ""
