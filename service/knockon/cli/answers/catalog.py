"""The catalog as `catalog export`, `catalog diff` and `catalog load` answer with it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from knockon.catalog.catalog import Catalog
from knockon.cli.answers.ages import age_data
from knockon.cli.answers.shifts import technique_data
from knockon.cli.answers.sources import cited_data, text_data
from knockon.cli.answers.words import Speaker, name
from knockon.formats.base import Block, Column, KeyValues, Marked, Page, Section, Table, Verdict, Words
from knockon.jobs.age import Ages
from knockon.jobs.diff import Difference
from knockon.jobs.diff_answers import ChangedAnswer
from knockon.jobs.knowledge import Knowledge
from knockon.rules.rule import CoupleRule
from knockon.store.revision import Changes, Revision
from knockon.terms.words import CheckVerdict, Json, TechniqueId

# What a couple rule makes of its first technique and the others it speaks of.
_KINDS: Mapping[CheckVerdict, str] = {
    CheckVerdict.CONFLICT: "conflicts",
    CheckVerdict.DEGRADED: "degrades",
    CheckVerdict.NOTE: "notes",
}


def exported_data(knowledge: Knowledge) -> dict[str, Json]:
    """The contract of `catalog export`."""
    catalog, ages = knowledge.catalog, Ages(knowledge)
    return {
        "techniques": [technique_data(one, ages) for one in catalog.live],
        "couplings": [*_relations(catalog), *_rules(knowledge.rulebook.couple, catalog)],
        "quantities": [
            {
                "id": one.id,
                "name": text_data(one.name),
                "of": one.of,
                "unit": one.unit,
                "better": one.better,
                "means": text_data(one.means),
                "influences": [
                    {
                        "on": influence.on,
                        "sign": influence.sign,
                        "stages": list(influence.stages),
                        "when": influence.when_text,
                        "says": influence.says.en,
                        "says_zh": influence.says.zh,
                        "inferred": influence.inferred,
                        **age_data(influence, ages),
                        "sources": cited_data(catalog, influence.cite),
                    }
                    for influence in one.influences
                ],
            }
            for one in catalog.quantities.values()
        ],
        "removed": [technique_data(one, ages) for one in catalog.techniques.values() if one.tombstone],
        "revision": knowledge.revision,
    }


def exported_page(knowledge: Knowledge, *, language: str) -> Page:
    """Every technique in a row."""
    speaker = Speaker(language, knowledge.catalog)
    rows: list[Sequence[Words]] = [
        [[name(one.id)], speaker.of(one.name), speaker.cell(one.cells[0]), speaker.of(one.goal)]
        for one in knowledge.catalog.live
    ]
    columns = [
        Column(speaker.say("technique", "技术"), wraps=False),
        Column(speaker.say("name", "名称")),
        Column(speaker.say("home", "归属")),
        Column(speaker.say("goal", "目的")),
    ]
    return Page([Table(columns, rows)])


def loaded_data(revision: Revision, changes: Changes | None) -> dict[str, Json]:
    """What `catalog load` did."""
    return {
        "revision": revision.number,
        "digest": revision.digest,
        "changed": revision.changed,
        "author": revision.author,
        "message": revision.message,
        "at": revision.at.isoformat(),
        "added": _groups(changes.added if changes else {}),
        "updated": _groups(changes.changed if changes else {}),
        "removed": _groups(changes.removed if changes else {}),
    }


def loaded_page(revision: Revision, changes: Changes | None, *, where: str, language: str) -> Page:
    """The revision, and what is new in it."""
    is_zh = language == "zh"
    if not revision.changed:
        said = f"版本 {revision.number} 内容相同，无需发布" if is_zh else f"revision {revision.number} holds it already"
        return Page([Verdict("无变化" if is_zh else "unchanged", "good", said), _where(revision, where, is_zh=is_zh)])
    said = f"版本 {revision.number}" if is_zh else f"revision {revision.number}"
    blocks: list[Block] = [Verdict("已发布" if is_zh else "published", "good", said)]
    blocks.append(_where(revision, where, is_zh=is_zh))
    if changes:
        blocks.append(_counts(changes, is_zh=is_zh))
    return Page(blocks)


def diff_data(difference: Difference, answers: Sequence[ChangedAnswer] | None) -> dict[str, Json]:
    """What `catalog diff` found; without `answers` where nobody asked which of them change."""
    asked: list[Json] = [
        {"question": one.question, "asked": one.asked, "gone": list(one.gone), "come": list(one.come)}
        for one in answers or ()
    ]
    return {
        **({} if answers is None else {"answers": asked}),
        "same": difference.is_empty,
        "added": _groups(difference.added),
        "changed": {
            kind: {key: list(parts) for key, parts in keys.items()} for kind, keys in difference.changed.items()
        },
        "removed": _groups(difference.removed),
    }


def diff_page(difference: Difference, answers: Sequence[ChangedAnswer] | None, *, language: str) -> Page:
    """One row per entry that differs, then one per answer that does."""
    is_zh = language == "zh"
    if difference.is_empty:
        return Page([Verdict("相同" if is_zh else "same", "good", "")])
    columns = [
        Column("", wraps=False),
        Column("类别" if is_zh else "kind", wraps=False),
        Column("键" if is_zh else "key", wraps=False),
        Column("变化的部分" if is_zh else "what of it"),
    ]
    blocks: list[Block] = [Table(columns, list(_rows(difference)))]
    if answers:
        blocks.append(_answers_section(answers, is_zh=is_zh))
    return Page(blocks)


def _answers_section(answers: Sequence[ChangedAnswer], *, is_zh: bool) -> Section:
    rows: list[Sequence[Words]] = [
        [
            one.question,
            [name(one.asked)],
            [Marked("; ".join(one.gone), "bad")] if one.gone else "",
            [Marked("; ".join(one.come), "good")] if one.come else "",
        ]
        for one in answers
    ]
    titles = ("问题", "对象", "不再回答", "新的回答") if is_zh else ("question", "asked", "no longer", "now")
    columns = [Column(titles[0], wraps=False), *(Column(title) for title in titles[1:])]
    title = f"{len(answers)} 个回答改变" if is_zh else f"{len(answers)} answers change"
    return Section(title, [Table(columns, rows)])


def _rows(difference: Difference) -> Iterator[Sequence[Words]]:
    for kind, keys in difference.removed.items():
        for key in keys:
            yield [[Marked("−", "bad")], kind, [name(key)], ""]
    for kind, changed in difference.changed.items():
        for key, parts in changed.items():
            yield [[Marked("~", "warn")], kind, [name(key)], ", ".join(parts)]
    for kind, keys in difference.added.items():
        for key in keys:
            yield [[Marked("+", "good")], kind, [name(key)], ""]


def _where(revision: Revision, where: str, *, is_zh: bool) -> KeyValues:
    return KeyValues(
        [
            ("数据库" if is_zh else "database", where),
            ("摘要" if is_zh else "digest", revision.digest),
            ("作者" if is_zh else "author", revision.author),
            ("说明" if is_zh else "message", revision.message),
        ]
    )


def _counts(changes: Changes, *, is_zh: bool) -> Section:
    kinds = sorted({*changes.added, *changes.changed, *changes.removed})
    rows: list[Sequence[Words]] = [
        [kind, *(str(len(group.get(kind, ()))) for group in (changes.added, changes.changed, changes.removed))]
        for kind in kinds
    ]
    titles = ("类别", "新增", "修改", "移除") if is_zh else ("kind", "added", "changed", "removed")
    columns = [Column(titles[0], wraps=False), *(Column(title, align="right", wraps=False) for title in titles[1:])]
    return Section("变化" if is_zh else "What is new", [Table(columns, rows)])


def _groups(groups: Mapping[str, Iterable[str]]) -> dict[str, Json]:
    return {kind: list(keys) for kind, keys in groups.items()}


def _relations(catalog: Catalog) -> Iterator[Json]:
    for technique in catalog.live:
        for relation in technique.relations:
            yield {
                "from": technique.id,
                "to": relation.to,
                "kind": relation.kind,
                "when": relation.when_text,
                "sources": cited_data(catalog, relation.cite),
                "says": text_data(relation.says),
                "rule": None,
            }


def _rules(rules: Iterable[CoupleRule], catalog: Catalog) -> Iterator[Json]:
    """Each rule as edges from the technique it is about to the others it names, and from what mitigates it."""
    for rule in rules:
        sources = cited_data(catalog, rule.cite)
        others: Sequence[TechniqueId | None] = rule.because[1:] or (None,)
        edges = [(rule.because[0] if rule.because else None, other, _KINDS[rule.verdict]) for other in others]
        edges += [(fix.technique, rule.because[0], "mitigates") for fix in rule.fixes if fix.technique and rule.because]
        for source, target, kind in dict.fromkeys(edges):
            yield {
                "from": source,
                "to": target,
                "kind": kind,
                "when": rule.when_text,
                "sources": sources,
                "says": text_data(rule.name),
                "rule": rule.id,
            }
