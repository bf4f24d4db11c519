"""Whatever is written into a tree, lint answers with problems that have a place, and never with a crash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.curate.document import read_bytes
from knockon.curate.lint import CODES, lint_tree
from tests.curate.trees import TODAY, TREE, written

PLACES = [
    (name, place.start, place.end)
    for name in sorted(TREE)
    for place in read_bytes(TREE[name].encode(), name).places.values()
]
SIGNS = "ab:-?[]{},&*!|>'\"%@` #\n0.~"
# Values that are right somewhere, so that a change gets past the shapes and meets the checks.
VALUES = (
    "1", "0", "-1.5", "true", "null", "[]", "{}", "''", "gain", "storage", "latency", "inference", "L4",
    "paper", "copying", "sharding", "K001", "D001", "memory", "wait_s", "cache_tokens", "shard_size",
    "shard_size > 1", "engine", "1 / 0", "byte", "default", "2026-11-29", "{en: One, zh: 一}",
    "[inference, L4, network]", "[copying]", "'{copies}'", "'a + + b'", "text",
)  # fmt: skip


@given(
    st.lists(
        st.tuples(st.sampled_from(PLACES), st.sampled_from(VALUES) | st.text(st.sampled_from(SIGNS), max_size=9)),
        min_size=1,
        max_size=3,
    )
)
def test_changed_tree_gets_problems_with_places(tmp_path_factory: pytest.TempPathFactory, changes) -> None:  # type: ignore[no-untyped-def]
    files = {name: TREE[name][:start] + value + TREE[name][end:] for (name, start, end), value in changes}

    problems = lint_tree(*written(tmp_path_factory.mktemp("tree"), files), today=TODAY)

    assert [problem for problem in problems if problem.at is None or problem.code not in CODES] == []
    assert problems == sorted(problems, key=lambda problem: problem.order)
