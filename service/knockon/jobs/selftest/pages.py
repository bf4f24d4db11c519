"""Reports as cases.yaml of the formats writes them."""

from typing import Any

from knockon.formats.base import (
    Accepted,
    Block,
    Branch,
    Bullets,
    Code,
    Column,
    FindingRow,
    Item,
    KeyValues,
    LaunchRow,
    Marked,
    Page,
    Paragraph,
    PlaceRow,
    Report,
    RuleRow,
    Section,
    Table,
    Tree,
    Verdict,
    Words,
)


def report_of(case: dict[str, Any]) -> Report:
    """The report of a case: what it leaves out is empty."""
    rules = {rule["id"]: RuleRow(**rule) for rule in case.get("rules", [])}
    return Report(
        data=case.get("data", {}),
        page=page_of(case.get("page", [])),
        findings=[_finding(one, rules) for one in case.get("findings", [])],
        launches=[LaunchRow(**one) for one in case.get("launches", [])],
        version=case.get("version", ""),
    )


def _finding(written: dict[str, Any], rules: dict[str, RuleRow]) -> FindingRow:
    """A row: its rule by id, its verdict that of the rule, its place as [path, line, column, end]."""
    rule = rules[written["rule"]]
    at = written.get("at")
    accepted = written.get("accepted")
    return FindingRow(
        rule=rule,
        verdict=rule.verdict,
        text=written["text"],
        fingerprint=written.get("fingerprint", "f" * 32),
        path=written.get("path", ""),
        launch=written.get("launch", ""),
        at=PlaceRow(*at) if at else None,
        accepted=Accepted(**accepted) if accepted else None,
    )


def page_of(written: list[Any]) -> Page:
    """The page of a case."""
    return Page([block_of(each) for each in written])


def block_of(written: dict[str, Any]) -> Block:
    """One block: a mapping with the kind as its only key."""
    [(kind, value)] = written.items()
    match kind:
        case "verdict":
            return Verdict(value["word"], value["tone"], words_of(value.get("says", "")))
        case "paragraph":
            return Paragraph(words_of(value))
        case "bullets" | "numbers":
            items = [Item(words_of(one["words"]), [block_of(each) for each in one.get("blocks", [])]) for one in value]
            return Bullets(items, is_numbered=kind == "numbers")
        case "table":
            return Table(
                [Column(**column) for column in value["columns"]], [list(map(words_of, row)) for row in value["rows"]]
            )
        case "pairs":
            return KeyValues([(name, words_of(words)) for name, words in value])
        case "tree":
            return Tree([branch_of(one) for one in value])
        case "code":
            return Code(value)
        case "section":
            return Section(words_of(value["title"]), [block_of(each) for each in value["blocks"]])
    raise AssertionError(f"no block is called {kind}")


def branch_of(written: dict[str, Any]) -> Branch:
    """One node of a tree."""
    return Branch(words_of(written["words"]), [branch_of(one) for one in written.get("branches", [])])


def words_of(written: Any) -> Words:
    """Plain words, or a list of words and {tone: words}."""
    if isinstance(written, str):
        return written
    parts: list[str | Marked] = []
    for part in written:
        parts += [part] if isinstance(part, str) else [Marked(text, tone) for tone, text in part.items()]
    return parts
