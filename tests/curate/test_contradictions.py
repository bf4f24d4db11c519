"""Files that contradict themselves or one another: relations, switches, evidence, and what is said twice."""

from pathlib import Path

import pytest

from tests.curate.trees import DIAGNOSE, TECHNIQUE, TREE, changed, complaints

COPYING = "catalog/techniques/inference/copying.yaml"
RELATION = "{kind: contrasts, to: copying, says: {en: The other way, zh: 另一种方式}, cite: [paper]}"
ONCE = "remove it from one of the two"
FIX = "remove one of the two, or say in `when` under which condition it holds"


def related(kind: str, *, to: str = "copying", when: str = "", says: str = "{en: So, zh: 如此}") -> str:
    condition = f", when: {when}" if when else ""
    return f"{{kind: {kind}, to: {to}{condition}, says: {says}, cite: [paper]}}"


def ours(*relations: str) -> dict[str, str]:
    """The small tree's first technique with these relations."""
    return changed(TECHNIQUE, f"  - {RELATION}\n", "".join(f"  - {one}\n" for one in relations))


def theirs(*relations: str) -> dict[str, str]:
    """Its other technique with these relations."""
    said = "".join(f"  - {one}\n" for one in relations)
    return changed(COPYING, "\ncite: [paper]\n", f"\nrelations:\n{said}cite: [paper]\n")


def test_relation_to_itself_is_complained_about(tmp_path: Path) -> None:
    assert complaints(tmp_path, ours(related("requires", to="sharding"))) == [
        f"{TECHNIQUE}:37:26: 'sharding' requires itself; expected another technique; remove it, or point at another"
    ]


@pytest.mark.parametrize(("when", "said"), [("", ""), ("shard_size > 1", " when shard_size > 1")])
def test_relation_said_twice_is_complained_about(tmp_path: Path, when: str, said: str) -> None:
    twice = [related("combines", when=when), related("combines", when=when, says="{en: Or so, zh: 或如此}")]

    assert complaints(tmp_path, ours(*twice)) == [
        f"{TECHNIQUE}:38:26: combines 'copying' is said twice{said}; expected each relation once; make one of the two"
    ]


def test_relation_under_another_condition_is_another(tmp_path: Path) -> None:
    two = [related("combines"), related("combines", when="shard_size > 1")]

    assert complaints(tmp_path, ours(*two)) == []


@pytest.mark.parametrize("kind", ["requires", "combines", "joins", "mitigates", "amplifies", "degrades"])
@pytest.mark.parametrize("is_ours", [True, False])
def test_conflict_with_what_goes_together_is_complained_about(tmp_path: Path, kind: str, *, is_ours: bool) -> None:
    files = (
        ours(related("conflicts"), related(kind))
        if is_ours
        else {**ours(related("conflicts")), **theirs(related(kind, to="sharding"))}
    )
    other = f"'sharding' {kind} 'copying'" if is_ours else f"'copying' {kind} 'sharding'"

    (found,) = complaints(tmp_path, files)

    assert found.startswith(f"{TECHNIQUE}:37:27: 'sharding' conflicts 'copying', and {other} at ")
    assert found.endswith(f"; expected relations that can hold at once; {FIX}")


@pytest.mark.parametrize("kind", ["requires", "combines"])
@pytest.mark.parametrize("is_ours", [True, False])
def test_successor_that_needs_the_old_one_is_complained_about(tmp_path: Path, kind: str, *, is_ours: bool) -> None:
    files = (
        ours(related("supersedes"), related(kind))
        if is_ours
        else {**ours(related("supersedes")), **theirs(related(kind, to="sharding"))}
    )

    (found,) = complaints(tmp_path, files)

    assert found.startswith(f"{TECHNIQUE}:37:28: 'sharding' supersedes 'copying', and '")


@pytest.mark.parametrize(
    ("conflict", "need", "is_contradiction"),
    [("", "shard_size > 1", True), ("shard_size > 1", "shard_size  >  1", True), ("shard_size > 1", "", False),
     ("shard_size > 1", "shard_size == 1", False)],
)  # fmt: skip
def test_conditions_keep_relations_apart(tmp_path: Path, conflict: str, need: str, *, is_contradiction: bool) -> None:
    found = complaints(tmp_path, ours(related("conflicts", when=conflict), related("requires", when=need)))

    assert len(found) == is_contradiction


def test_what_conflicts_both_ways_or_contrasts_too_is_fine(tmp_path: Path) -> None:
    files = {**ours(related("conflicts"), related("contrasts")), **theirs(related("conflicts", to="sharding"))}

    assert complaints(tmp_path, files) == []


@pytest.mark.parametrize("kind", ["requires", "supersedes"])
def test_circle_of_techniques_is_complained_about(tmp_path: Path, kind: str) -> None:
    files = {**ours(related(kind)), **theirs(related(kind, to="sharding"))}

    (found,) = complaints(tmp_path, files)

    said = f"'copying' {kind} itself: copying → sharding → copying; expected a chain that ends; remove one of the links"
    assert found.startswith(f"{COPYING}:")
    assert found.endswith(f": {said}, or say in `when` under which condition it holds")


def test_circle_with_a_condition_ends_somewhere(tmp_path: Path) -> None:
    files = {**ours(related("requires")), **theirs(related("requires", to="sharding", when="shard_size > 1"))}

    assert complaints(tmp_path, files) == []


@pytest.mark.parametrize(
    ("facts", "is_off"),
    [("shard_size: 1", True), ("shard_size: 2", False), ("shard_size: head_count", False), ("head_count: 1", False)],
)
def test_enable_under_which_detect_fails_is_complained_about(tmp_path: Path, facts: str, *, is_off: bool) -> None:
    detect = "detect: shard_size > 1\n"
    found = complaints(tmp_path, changed(TECHNIQUE, detect, f"{detect}enable: {{{facts}}}\n"))

    said = "`detect` does not hold with shard_size = 1; expected facts that turn it on"
    told = [f"{TECHNIQUE}:41:9: {said}; set what `detect` asks for, or mend `detect`"]
    assert found == (told if is_off else [])


def test_shift_said_twice_is_complained_about(tmp_path: Path) -> None:
    shift = next(line for line in TREE[COPYING].splitlines(keepends=True) if "effect: cost" in line)
    again = shift.replace("cite: [paper]", "inferred: true, cite: [{ref: paper, where: section 2}]")

    assert complaints(tmp_path, changed(COPYING, shift, shift + again)) == [
        f"{COPYING}:9:79: 'Less' is said twice; expected each of them once; remove one, with its sources in the other"
    ]


def test_place_of_a_source_cited_twice_is_complained_about(tmp_path: Path) -> None:
    twice = "cite: [{ref: paper, where: section 3}, {ref: paper, where: section 3}, paper]"

    assert complaints(tmp_path, changed(TECHNIQUE, "cite: [{ref: paper, where: section 3}]", twice)) == [
        f"{TECHNIQUE}:25:11: 'paper' is cited twice with 'section 3'; expected each place of a source once"
    ]


def test_condition_that_supports_and_refutes_is_complained_about(tmp_path: Path) -> None:
    found = complaints(tmp_path, changed(DIAGNOSE, "against: [queue_count == 0]", "against: [queue_count  > 0]"))

    assert found == [
        f"{DIAGNOSE}:10:11: `queue_count > 0` stands in `supports` already; expected each condition once; {ONCE}"
    ]
