"""The answer of `selftest`: how many cases each member has, and every one that failed."""

from collections import Counter
from collections.abc import Sequence

from knockon.cli.answers.words import name
from knockon.formats.base import Block, Bullets, Column, Item, Marked, Page, Section, Table, Verdict, Words
from knockon.jobs.selftest.outcome import Outcome
from knockon.terms.words import Json


def data(outcomes: Sequence[Outcome], version: str) -> dict[str, Json]:
    """The whole answer for programs."""
    failed = [one for one in outcomes if one.problem]
    return {
        "passed": not failed,
        "version": version,
        "members": [
            {"family": family, "member": member, "cases": count, "failed": bad, "not_run": left}
            for (family, member), count, bad, left in _counted(outcomes)
        ],
        "not_run": [{"family": family, "member": member, "why": why} for family, member, why in _not_run(outcomes)],
        "failures": [
            {"family": one.family, "member": one.member, "case": one.case, "problem": one.problem} for one in failed
        ],
    }


def page(outcomes: Sequence[Outcome], version: str, *, language: str) -> Page:
    """A table of the members, then what failed."""
    is_zh = language == "zh"
    failed = [one for one in outcomes if one.problem]
    total = (
        f"{len(outcomes):,} 项，{len(failed):,} 项失败" if is_zh else f"{len(outcomes):,} cases, {len(failed):,} failed"
    )
    left = sum(bool(one.not_run) for one in outcomes)
    if left:
        total += f"，{left:,} 项未运行" if is_zh else f", {left:,} not run"
    word = ("失败" if is_zh else "failed") if failed else ("通过" if is_zh else "passed")
    columns = [
        Column("类别" if is_zh else "family", wraps=False),
        Column("成员" if is_zh else "member", wraps=False),
        Column("用例" if is_zh else "cases", "right", wraps=False),
        Column("失败" if is_zh else "failed", "right", wraps=False),
    ]
    rows: list[Sequence[Words]] = [
        [family, [name(member)], f"{count:,}", "—" if unrun else [Marked(f"{bad:,}", "bad" if bad else "good")]]
        for (family, member), count, bad, unrun in _counted(outcomes)
    ]
    blocks: list[Block] = [
        Verdict(word, "bad" if failed else "good", f"Knock-on {version}: {total}"),
        Table(columns, rows),
    ]
    if left:
        items = [Item(f"{family} {member}: {why}") for family, member, why in _not_run(outcomes)]
        blocks.append(Section("未运行" if is_zh else "Not run", [Bullets(items)]))
    if failed:
        items = [Item(f"{one.family} {one.member}: {one.case}: {one.problem}") for one in failed]
        blocks.append(Section("失败的用例" if is_zh else "What failed", [Bullets(items)]))
    return Page(blocks)


def _counted(outcomes: Sequence[Outcome]) -> list[tuple[tuple[str, str], int, int, int]]:
    """Per member how many cases there are, failed and were not run; the rules, of which there are hundreds, as one."""
    keys = [(one.family, "*" if one.family == "rules" else one.member) for one in outcomes]
    cases = Counter(keys)
    failed = Counter(key for key, one in zip(keys, outcomes, strict=True) if one.problem)
    left = Counter(key for key, one in zip(keys, outcomes, strict=True) if one.not_run)
    return [(key, count, failed[key], left[key]) for key, count in cases.items()]


def _not_run(outcomes: Sequence[Outcome]) -> list[tuple[str, str, str]]:
    """Every member that was not run, once, with what it needs."""
    return list(dict.fromkeys((one.family, one.member, one.not_run) for one in outcomes if one.not_run))
