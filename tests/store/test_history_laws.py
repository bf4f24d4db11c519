"""Laws of the history, over random rows of bundles: nothing that was published is ever told differently."""

import tempfile
from collections.abc import Callable, Sequence
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knockon.catalog.edges import edge_rows
from knockon.store.revision import Changes
from knockon.store.store import open_store
from knockon.terms.bundle import Bundle, Entry, canonical
from knockon.terms.words import Json
from tests.store.bundles import rows
from tests.texts import texts

# Few keys and values, so that entries come, change, go and come back; all of Unicode that UTF-8 has, in texts.
short = texts(max_size=5)
scalars: st.SearchStrategy[Json] = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | short
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(short, inner, max_size=2), max_leaves=4
)
shifts = st.lists(st.fixed_dictionaries({"onto": st.sampled_from(["storage", "network"]), "quantity": st.just("q")}))
bodies = st.fixed_dictionaries(
    {"n": st.sampled_from([1, 1.0, 2])}, optional={"shifts": shifts, "more": values, "of": st.just("storage")}
)
entries = st.builds(
    Entry, st.sampled_from(["technique", "quantity"]), st.sampled_from(["a", "b", "Z", "解", "q"]), bodies
)
bundles = st.lists(entries, max_size=6, unique_by=lambda entry: (entry.kind, entry.key)).map(Bundle.of)
histories = st.lists(bundles, max_size=4)


@settings(max_examples=20)
@given(history=histories)
def test_every_revision_reads_so_on_sqlite(migration: Callable[[str], None], history: list[Bundle]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _check_laws(f"sqlite:///{folder}/knockon.db", migration, history)


@pytest.mark.postgres
@settings(max_examples=10)
@given(history=histories)
def test_every_revision_reads_so_on_postgresql(
    fresh_schema: Callable[[], str], migration: Callable[[str], None], history: list[Bundle]
) -> None:
    _check_laws(fresh_schema(), migration, history)


def _check_laws(url: str, migration: Callable[[str], None], history: Sequence[Bundle]) -> None:
    changing = [one for before, one in pairwise([None, *history]) if before is None or before.digest != one.digest]

    migration(url)
    with open_store(url) as store:
        for one in history:
            store.publish(one, author="ada", message="")

        assert [revision.digest for revision in reversed(store.revisions(100))] == [one.digest for one in changing]
        for number, one in enumerate(changing, start=1):
            assert _texts_of(store.read(number)) == _texts_of(one)
            assert _edges_in(url, number) == _edges_of(one)
        for (before, old), (after, new) in product(enumerate(changing, start=1), repeat=2):
            assert store.changes(before, after) == _difference(old, new)


def _texts_of(bundle: Bundle) -> dict[tuple[str, str], str]:
    # Texts, not bodies: 2 and 2.0 are equal in Python and are not the same here.
    return {(entry.kind, entry.key): canonical(entry.body) for entry in bundle.entries}


def _edges_of(bundle: Bundle) -> list[tuple[object, ...]]:
    return sorted(((row.kind, row.source, row.target, row.body) for row in edge_rows(bundle)), key=repr)


def _edges_in(url: str, number: int) -> list[tuple[object, ...]]:
    valid = f"valid_from <= {number} AND (valid_to IS NULL OR valid_to > {number})"
    return sorted(rows(url, f"SELECT kind, source, target, body FROM edge WHERE {valid}"), key=repr)


def _difference(before: Bundle, after: Bundle) -> Changes:
    """The slow and plain way to say what changed."""
    old, new = _texts_of(before), _texts_of(after)
    groups: dict[str, dict[str, tuple[str, ...]]] = {"added": {}, "changed": {}, "removed": {}}
    for kind, key in sorted(old.keys() | new.keys()):
        was, is_now = old.get((kind, key)), new.get((kind, key))
        if was != is_now:
            group = groups["added" if was is None else "removed" if is_now is None else "changed"]
            group[kind] = (*group.get(kind, ()), key)
    return Changes(**groups)
