"""The page of rules: couple rules, diagnose rules, walls, profiles."""

from collections import Counter

from docs.reference.markdown import both, bullets, code, link, page, sources, table, titled
from knockon.catalog.catalog import Catalog
from knockon.expr.show import show
from knockon.jobs.knowledge import Knowledge
from knockon.rules.profile import Profile
from knockon.rules.rule import CoupleRule, DiagnoseRule, Example
from knockon.rules.wall import Wall
from knockon.terms.age import rule_stale_from


def rules_page(knowledge: Knowledge) -> str:
    """All rules by id, then what they rest on."""
    book, catalog = knowledge.rulebook, knowledge.catalog
    couple = [part for rule in book.couple for part in _couple(catalog, rule)]
    diagnose = [part for rule in book.diagnose for part in _diagnose(catalog, rule)]
    return page(
        "Rules",
        f"{len(book.couple)} couple rules judge the facts of a deployment, {len(book.diagnose)} diagnose rules judge "
        "readings. A rule fires only when its condition is TRUE.",
        "rules/",
        "## Couple rules",
        *couple,
        "## Diagnose rules",
        *diagnose,
        "## Walls",
        table(["wall", "name", "layers", "dimension", "means"], (_wall(wall) for wall in book.walls.values())),
        "## Profiles",
        *(part for profile in book.profiles.values() for part in _profile(profile)),
    )


def _couple(catalog: Catalog, rule: CoupleRule) -> list[str]:
    because = ", ".join(link(one, f"techniques/{one}.md") for one in rule.because)
    facts = [f"verdict: **{rule.verdict.value}**", f"when {code(rule.when_text)}", f"because of {because}"]
    if rule.asked_with:
        facts.append(f"not asked without {', '.join(map(code, rule.asked_with))}")
    facts += [
        f"lands on {shift.onto} (gained on {shift.gains}) through "
        + link(shift.quantity, f"quantities.md#{shift.quantity}")
        + (f", × {code(shift.factor_text)}" if shift.factor_text else "")
        for shift in rule.shifts
    ]
    facts += [f"step: {code(f'{step.name} = {step.value_text}')}" for step in rule.derive]
    facts += [
        f"fix: {fix.says.en}"
        + (f" {code(', '.join(f'{name} = {show(value)}' for name, value in fix.sets.items()))}" if fix.sets else "")
        for fix in rule.fixes
    ]
    facts += [f"note: {remark.en}" for remark in rule.remarks]
    facts.append(f"looked at on {rule.checked}, stale from {rule_stale_from(rule.checked)} on")
    facts.append(_examples(rule.examples))
    return [
        f"### {rule.id} {titled(rule.name)}",
        both(rule.says),
        bullets(facts),
        sources(catalog.sources(rule.cite)),
    ]


def _diagnose(catalog: Catalog, rule: DiagnoseRule) -> list[str]:
    facts = [
        f"wall: **{rule.wall}**, {rule.layer}, {rule.dimension}; confidence {rule.confidence:g}",
        f"when {code(rule.when_text)}",
        f"observes {', '.join(map(code, rule.observes))}",
        *(f"for it: {code(show(node))}" for node in rule.supports),
        *(f"against it: {code(show(node))}" for node in rule.against),
    ]
    if rule.outranks:
        facts.append(f"outranks {', '.join(rule.outranks)}")
    facts += [f"confirm: {rule.confirm.en}", *(f"advice: {text.en}" for text in rule.advice), _examples(rule.examples)]
    return [
        f"### {rule.id} {titled(rule.name)}",
        both(rule.says),
        bullets(facts),
        sources(catalog.sources(rule.cite)),
    ]


def _examples(examples: tuple[Example, ...]) -> str:
    counted = Counter(example.expect for example in examples)
    return f"examples: {', '.join(f'{counted[expect]} {expect}' for expect in ('fires', 'silent', 'unknown'))}"


def _wall(wall: Wall) -> list[str]:
    return [code(wall.id), titled(wall.name), ", ".join(wall.layers), wall.dimension, both(wall.means)]


def _profile(profile: Profile) -> list[str]:
    meant = [
        f"{name} {value}"
        for name, value in (
            ("hardware", profile.hardware),
            ("engine", profile.engine),
            ("model", profile.model),
            ("load", profile.load),
        )
        if value
    ]
    rows = (
        [
            code(f"threshold.{key}"),
            f"{held.value:g}",
            held.provenance + (f", {held.samples} samples" if held.samples else ""),
            held.checked,
            both(held.says) if held.says else "",
        ]
        for key, held in profile.thresholds.items()
    )
    based = f" Where it is silent, {code(profile.base)} holds." if profile.base else ""
    state = "calibrated" if profile.calibrated else "not calibrated"
    return [
        f"### {profile.name}",
        f"{titled(profile.title)}: {'; '.join(meant)}; {state}.{based}",
        table(["threshold", "value", "provenance", "checked", "says"], rows),
    ]
