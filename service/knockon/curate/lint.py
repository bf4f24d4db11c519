"""Everything that must hold of the shipped or a proposed tree: the shape of each file, and what lies between them."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from knockon.curate.checks import ages, dates
from knockon.curate.shelf import Shelf
from knockon.curate.translations import ledger_text
from knockon.curate.tree import collect_tree, collector_paused
from knockon.terms.bundle import Bundle
from knockon.terms.errors import CurationError, Problem

if TYPE_CHECKING:
    from knockon.curate.checks.switches import Engines

CODES: Mapping[str, str] = {
    # --- reading a file: document.py, build.py ---
    "unreadable-file": "a file cannot be opened, or is no regular file",
    "limit-exceeded": "a file, its nesting or an expression is larger than a cap of terms/limits.py",
    "empty-file": "a file holds no document",
    "not-utf-8": "bytes that are not UTF-8",
    "byte-order-mark": "a byte order mark at the start",
    "control-character": "a character that cannot be printed",
    "tab": "a tab where YAML indents",
    "yaml-syntax": "not YAML",
    "several-documents": "more than one document in a file",
    "duplicate-key": "a key given twice in one mapping",
    "complex-key": "a key that is no plain word",
    "anchor": "an anchor",
    "alias": "an alias",
    "merge-key": "a merge key",
    "tag": "a tag",
    "bad-number": "a number that is not finite, or too long",
    # --- the tree: tree.py ---
    "missing-folder": "one of the two trees is not there",
    "missing-file": "a file that every tree has is not there",
    "stray-file": "a YAML file where nothing reads it",
    "misplaced-id": "a file called other than what is in it",
    "misplaced-home": "a file in the folder of another home",
    "duplicate-id": "two things of a kind with one id",
    # --- the shape of one thing: shapes/, refusals.py ---
    "missing-key": "a required key is missing",
    "missing-translation": "a sentence in one language only",
    "no-source": "a claim without a citation",
    "unknown-key": "a key the shape does not have",
    "wrong-type": "a value of another type",
    "wrong-word": "a word that is none of the allowed ones",
    "bad-id": "a rule id of another form",
    "bad-form": "a text of another form",
    "wrong-length": "too few or too many items or characters",
    "out-of-range": "a number out of its range",
    "bad-slug": "an id that is no kebab slug",
    "bad-name": "a name that is no lower-case word",
    "bad-url": "an address that is none",
    "bad-date": "a date that is none",
    "bad-range": "bounds or options that do not fit the type",
    "invisible-character": "a character in a sentence that cannot be seen",
    "empty-text": "an empty sentence",
    "loose-space": "space around a sentence",
    "empty-expression": "an empty condition",
    "repeated-item": "one thing listed twice",
    # --- between things: checks/ ---
    "unknown-citation": "a pointer to no citation",
    "unknown-technique": "a pointer to no technique",
    "unknown-quantity": "a pointer to no quantity",
    "unknown-wall": "a pointer to no wall",
    "unknown-rule": "a pointer to no rule",
    "unknown-profile": "a pointer to no profile",
    "unknown-symptom": "a pointer to no symptom",
    "unused-citation": "a citation that nothing cites",
    "search-page": "an address that searches for the source",
    "odd-address": "an address of another form than those of its site",
    "duplicate-address": "two citations with one address",
    "unknown-stage": "a stage the axes do not have",
    "unknown-layer": "a layer the axes do not have",
    "unknown-dimension": "a dimension the axes do not have",
    "unknown-dimension-or-burden": "neither a dimension nor a burden of the axes",
    "wrong-axis": "a value of another axis; cells are [stage, layer, dimension]",
    "occupied-cell": "a technique in a cell that is noted as empty for a reason",
    "layers-apart": "a technique whose cells leave a layer out between them",
    "name-taken": "a name or alias that stands for two things",
    "circular-alias": "two ids that are former ids of each other",
    "former-id-in-use": "a former id that is an id now",
    "removed-technique": "a pointer to a removed technique",
    "circular-parent": "a wall that is part of itself",
    "circular-base": "a profile based on itself",
    "circular-outranks": "a rule that outranks itself",
    "circular-of": "a symptom made of itself",
    "circular-tombstone": "a removed technique replaced by itself",
    "onto-other-than-quantity": "a shift onto another dimension than its quantity's",
    "effect-against-better": "a gain that makes its quantity worse, or a cost that makes it better",
    "uneven-config": "counts of a model's config that rule one another out",
    "self-relation": "a technique related to itself",
    "contradicting-relation": "two relations of one pair of techniques that cannot hold at once",
    "circular-requires": "a technique that needs itself over others",
    "circular-supersedes": "a technique that replaces itself over others",
    "enable-against-detect": "facts that turn a technique on, under which its `detect` does not hold",
    "self-influence": "a quantity that influences itself",
    "contradicting-influence": "one influence with both signs",
    "one-way-sentence": "a sentence of an influence that holds in one direction only",
    "orphan-quantity": "a quantity that no shift and no influence touches",
    "date-in-future": "checked on a day that has not come",
    "stale-claim": "a claim, a threshold or a rule whose sources were looked at too long ago",
    "unmeasured-number": "a size that does not say on what it was measured, nor what else it rests on",
    "unsourced-number": "a measured number in a sentence without a source that no cited sentence repeats",
    "translation-older": "a Chinese sentence whose English has changed since",
    "uneven-numbers": "numbers that the two languages say differently",
    "not-translated": "one language where the other of a sentence belongs",
    "unrecorded-translation": "sentences whose translation is not in the record",
    "unused-translation": "a line of the record of translations that belongs to no sentence",
    "gap-in-chinese": "a space after a Chinese comma or full stop",
    "near-duplicate": "two techniques that differ by spelling or hardly at all",
    "inferred-number": "a measured number in a sentence that is inferred, and in no size beside it",
    "unknown-engine": "a program that no other technique and no source of this one names",
    "unknown-switch": "a flag that the engine never had",
    "unknown-value": "a text compared with a fact that no engine, rule or switch knows",
    "loop-without-note": "a feedback loop of quantities of which nothing says what ends it",
    "unknown-unit": "a unit that is none",
    "other-unit": "a value in another unit than stated",
    "missing-default-profile": "profiles without a default one",
    "unknown-threshold": "a threshold the default profile lacks",
    "syntax": "not in the language",
    "unknown-name": "a name the vocabulary lacks",
    "type-mismatch": "types that do not fit together",
    "unit-mismatch": "units that do not fit together",
    "not-a-version": "a text compared with a version that is none",
    "unknown-option": "a text that is none of the options of its name",
    "wrong-kind-of-name": "a reading or threshold where only facts are known, or the like",
    "range-of-nothing": "a fix with a range that sets not exactly one fact",
    "sets-derived-fact": "a fix that sets what follows from other facts",
    "constant-condition": "a condition that always holds, never holds or is never known",
    "no-value": "a value that can never be computed",
    "bad-field": "braces in a sentence that are no field",
    "unfilled-name": "a name in braces that nothing fills",
    "uneven-fields": "a field in one language only",
    "missing-example": "a rule without an example of each outcome",
    "missing-boundary": "a comparison of a rule without an example exactly where it turns, or none that hangs on it",
    "impossible-value": "an example with a value of another type or out of range",
}
"""Every code a problem of a tree can have, and what it means."""

UPKEEP: frozenset[str] = frozenset(
    {
        *("unused-citation", "search-page", "odd-address", "one-way-sentence", "orphan-quantity", "date-in-future"),
        *("stale-claim", "unsourced-number", "unmeasured-number", "translation-older", "uneven-numbers"),
        *("near-duplicate", "duplicate-address", "loop-without-note", "gap-in-chinese", "not-translated"),
        *("unrecorded-translation", "unused-translation", "inferred-number"),
        *("unknown-engine", "unknown-switch", "unknown-value"),
    }
)
"""Codes that ask a curator to tidy up; the tree answers every question all the same, so they stop no publishing."""


_ALL = "all checks"
_GRAVE = "all but upkeep"


@collector_paused()
def lint_tree(
    catalog_dir: Path,
    rules_dir: Path,
    *,
    today: str | None = None,
    engines: "Callable[[], Engines] | None" = None,
    engines_digest: str = "",
) -> list[Problem]:
    """Every problem of both trees, sorted by place; empty when all holds.

    Args:
        catalog_dir: The folder with techniques, quantities, citations and so on.
        rules_dir: The folder with vocabulary, rules, profiles and so on.
        today: ISO date that `checked` dates are compared with; the day of this machine (UTC) when left out.
        engines: What is known of engines, asked for only where the tree is not known to be right.
        engines_digest: What that follows from.
    """
    day = today or datetime.now(UTC).date().isoformat()
    shelf = Shelf.of(catalog_dir, rules_dir)
    tree = collect_tree(catalog_dir, rules_dir, shelf=shelf)
    problems = [*dates.problems(tree, today=day), *ages.problems(tree, today=day)]
    context = engines_digest + _record(catalog_dir)
    # Nothing else hangs on the day, so a tree that was right stays so.
    if tree.problems or not shelf.is_tree_clean(_ALL, context):
        from knockon.curate.checks.switches import Engines  # noqa: PLC0415  a known tree needs no checks
        from knockon.curate.soundness import problems_of, upkeep_of  # noqa: PLC0415  a known tree needs no checks

        more = partial(upkeep_of, catalog_dir=catalog_dir, engines=engines or Engines)
        timeless = problems_of(tree, shelf, more)
        if not timeless:
            shelf.found_tree_clean(_ALL, context)
            shelf.found_tree_clean(_GRAVE)
        problems += timeless
    shelf.close()
    return sorted(problems, key=lambda problem: problem.order)


@collector_paused()
def held_tree(catalog_dir: Path, rules_dir: Path, *, but: frozenset[str] = UPKEEP) -> Bundle:
    """Both trees as one bundle, once everything holds that has to.

    Raises:
        CurationError: with every problem that `lint_tree` finds, those with a code of `but` aside.
    """
    shelf = Shelf.of(catalog_dir, rules_dir)
    tree = collect_tree(catalog_dir, rules_dir, shelf=shelf)
    grave: list[Problem] = []
    if tree.problems or not shelf.is_tree_clean(_GRAVE):
        from knockon.curate.soundness import problems_of  # noqa: PLC0415  a known tree needs no checks

        found = problems_of(tree, shelf)
        grave = [problem for problem in found if problem.code not in but]
        if not found:
            shelf.found_tree_clean(_GRAVE)
    shelf.close()
    if grave:
        raise CurationError(sorted(grave, key=lambda problem: problem.order))
    return tree.bundle()


def _record(catalog_dir: Path) -> str:
    """What is in neither tree and decides about it: which translations are up to date."""
    return ledger_text(catalog_dir) or ""
