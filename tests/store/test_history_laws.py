"""Laws of the history, over random rows of bundles: nothing that was published is ever told differently."""

import tempfile
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knockon.catalog.edges import edge_rows
from knockon.store.revision import Changes
from knockon.store.store import open_store
from knockon.terms.bundle import Bundle, Entry, canonical
from knockon.terms.words import Json
from tests.store.bundles import rows

# Few keys and values, so that entries come, change, go and come back; all of Unicode that UTF-8 has, in texts.
texts = st.text(st.characters(codec="utf-8"), max_size=5)
scalars: st.SearchStrategy[Json] = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2), max_leaves=4
)
shifts = st.lists(st.fixed_dictionaries({"onto": st.sampled_from(["storage", "network"]), "quantity": st.just("q")}))
bodies = st.fixed_dictionaries(
    {"n": st.sampled_from([1, 1.0, 2])}, optional={"shifts": shifts, "more": values, "of": st.just("storage")}
)
entries = st.builds(
    Entry, st.sampled_from(["technique", "quantity"]), st.sampled_from(["a", "b", "Z", "解", "q"]), bodies
)
bundles = st.lists(entries, max_size=6, unique_by=lambda entry: (entry.kind, entry.key)).map(Bundle.of)
histories = st.lists(bundles, max_size=6)


@given(histories)
def test_every_revision_reads_so_on_sqlite(history: list[Bundle]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _check_laws(f"sqlite:///{folder}/knockon.db", history)


@pytest.mark.postgres
@settings(max_examples=10)
@given(history=histories)
def test_every_revision_reads_so_on_postgresql(fresh_schema: Callable[[], str], history: list[Bundle]) -> None:
    _check_laws(fresh_schema(), history)


def _check_laws(url: str, history: Sequence[Bundle]) -> None:
    store = open_store(url)
    store.migrate()
    changing = [one for before, one in pairwise([None, *history]) if before is None or before.digest != one.digest]

    for one in history:
        store.publish(one, author="ada", message="")

    assert [revision.digest for revision in reversed(store.revisions(100))] == [one.digest for one in changing]
    for number, one in enumerate(changing, start=1):
        read = store.read(number)
        assert [(entry.kind, entry.key, canonical(entry.body)) for entry in read.entries] == [
            (entry.kind, entry.key, canonical(entry.body)) for entry in one.entries
        ]
        assert _edges_in(url, number) == sorted((row.kind, row.source, row.target, row.body) for row in edge_rows(one))
    for before in range(1, len(changing) + 1):
        for after in range(1, len(changing) + 1):
            assert store.changes(before, after) == _difference(changing[before - 1], changing[after - 1])
    store.close()


def _edges_in(url: str, number: int) -> list[tuple[object, ...]]:
    valid = f"valid_from <= {number} AND (valid_to IS NULL OR valid_to > {number})"
    return sorted(rows(url, f"SELECT kind, source, target, body FROM edge WHERE {valid}"), key=repr)


def _difference(before: Bundle, after: Bundle) -> Changes:
    """The slow and plain way to say what changed."""
    old, new = ({(entry.kind, entry.key): canonical(entry.body) for entry in one.entries} for one in (before, after))
    groups: dict[str, dict[str, tuple[str, ...]]] = {"added": {}, "changed": {}, "removed": {}}
    for kind, key in sorted(old.keys() | new.keys()):
        was, is_now = old.get((kind, key)), new.get((kind, key))
        if was != is_now:
            group = groups["added" if was is None else "removed" if is_now is None else "changed"]
            group[kind] = (*group.get(kind, ()), key)
    return Changes(**groups)
