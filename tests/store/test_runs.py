"""Runs: kept whole and once, read back by target and time in pages, removed when they are old."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import pytest

from knockon.store.run import KeptRun, Part, RunKey, Target
from knockon.store.store import Store, open_store
from knockon.terms.errors import LimitExceeded, NotFound, StoreError
from knockon.terms.limits import PAGE_SIZE_MAX, RUN_BYTES_MAX, RUNS_REMOVED_MAX
from knockon.terms.reading import Reading
from tests.store.bundles import bundle, everything, rows, technique
from tests.store.kept import at, run


def key(one: KeptRun) -> RunKey:
    return RunKey(one.taken_at, one.id)


def test_a_run_is_given_back_as_it_was_kept(store: Store) -> None:
    number = store.publish(bundle(technique("a")), author="ada", message="").number
    given = run(revision=number)

    assert store.keep(given, since=None).is_new
    assert store.runs("prod").runs == [given]


def test_a_run_without_anything_is_given_back_too(store: Store) -> None:
    nothing: dict[str, object] = {"finest": None, "between": (), "hypotheses": (), "missing": (), "readings": ()}
    given = run(**nothing, settings={}, verdict="insufficient_data")

    store.keep(given, since=None)

    assert store.runs("prod").runs == [given]


def test_the_same_run_is_kept_once_as_it_was_kept_first(store: Store, url: str) -> None:
    first = store.keep(run(), since=None)
    before = everything(url)

    again = store.keep(run(verdict="healthy", kept_at=at(9)), since=at(99))

    assert (again, again.is_new) == (first, False)
    assert everything(url) == before


@pytest.mark.parametrize("text", ["\0", "\ud800", "键 🙂", "'; DROP TABLE run; --"])
def test_texts_that_databases_do_not_take_are_kept_all_the_same(store: Store, text: str) -> None:
    given = run(readings=(Reading("ttft_s_p95", None, text, state="invalid", why=text, raw=text),))

    store.keep(given, since=None)

    assert store.runs("prod").runs == [given]


def test_a_run_that_is_too_large_is_refused_and_leaves_nothing(store: Store, url: str) -> None:
    before = everything(url)
    given = run(readings=(Reading("ttft_s_p95", None, "given", state="invalid", raw="x" * RUN_BYTES_MAX),))

    with pytest.raises(LimitExceeded) as refused:
        store.keep(given, since=None)

    assert refused.value.limit == RUN_BYTES_MAX
    assert everything(url) == before


def test_pages_go_from_the_newest_to_the_oldest_and_each_run_is_on_one(store: Store) -> None:
    # Several of one time: the id decides then.
    kept = [run(hour=hour, id=f"{number:064}") for number, hour in enumerate((0, 1, 1, 1, 2, 3, 3))]
    for one in (*reversed(kept), run("other", hour=1)):
        store.keep(one, since=None)
    expected = sorted(kept, key=lambda one: (-one.taken_at.timestamp(), one.id))

    seen: list[KeptRun] = []
    after = None
    while True:
        page = store.runs("prod", 2, part=Part(after=after))
        assert (page.total, page.has_previous) == (len(kept), bool(seen))
        seen += page.runs
        assert page.has_next == (len(seen) < len(kept))
        if not page.has_next:
            break
        after = key(page.runs[-1])

    assert seen == expected


def test_any_part_is_read_from_either_end(store: Store) -> None:
    kept = [run(hour=hour, id=f"{number:064}") for number, hour in enumerate((0, 1, 1, 2, 2))]
    for one in (*kept, run("other", hour=1)):
        store.keep(one, since=None)
    in_order = sorted(kept, key=lambda one: (-one.taken_at.timestamp(), one.id))
    ends = [None, *range(len(in_order))]

    for after, before, size, from_end in product(ends, ends, (0, 2, 9), (False, True)):
        keys = [None if end is None else key(in_order[end]) for end in (after, before)]
        page = store.runs("prod", size, part=Part(*keys, from_end))

        start = 0 if after is None else after + 1
        end = max(start, len(in_order) if before is None else before)
        first, last = (max(start, end - size), end) if from_end else (start, min(end, start + size))
        assert list(page.runs) == in_order[first:last]
        if after is None or before is None or after < before:
            assert (page.has_previous, page.has_next) == (first > 0, last < len(in_order))


def test_targets_are_read_from_either_end(store: Store) -> None:
    for name in "abcd":
        store.keep(run(name), since=None)

    pages = [
        store.targets(2, part=Part(from_end=True)),
        store.targets(2, part=Part(before="c", from_end=True)),
        store.targets(1, part=Part(before="c", from_end=True)),
        store.targets(2, part=Part(before="c", after="a")),
    ]

    told = [("".join(one.name for one in page.targets), page.has_previous, page.has_next) for page in pages]
    assert told == [("cd", True, False), ("ab", False, True), ("b", True, True), ("b", True, True)]


def test_pages_hold_when_runs_come_in_and_go(store: Store) -> None:
    kept = [run(hour=hour) for hour in range(4)]
    for one in kept:
        store.keep(one, since=None)
    first = store.runs("prod", 2)

    store.keep(run(hour=9), since=at(0.5))

    second = store.runs("prod", 2, part=Part(after=key(first.runs[-1])))
    assert [list(page.runs) for page in (first, second)] == [[kept[3], kept[2]], [kept[1]]]


def test_the_time_asked_about_has_its_begin_in_it_and_not_its_end(store: Store) -> None:
    for hour in range(4):
        store.keep(run(hour=hour), since=None)

    page = store.runs("prod", since=at(1), until=at(3))

    assert [one.taken_at for one in page.runs] == [at(2), at(1)]
    assert page.total == 2
    assert store.runs("prod", since=at(5)).runs == []


def test_a_page_of_nothing_still_says_how_many_there_are(store: Store) -> None:
    store.keep(run(), since=None)

    page = store.runs("prod", 0)

    assert (page.runs, page.has_next, page.has_previous, page.total) == ([], True, False, 1)


def test_pages_that_are_too_long_are_refused(store: Store) -> None:
    for ask in (lambda: store.runs("prod", PAGE_SIZE_MAX + 1), lambda: store.targets(PAGE_SIZE_MAX + 1)):
        with pytest.raises(LimitExceeded):
            ask()


def test_an_unknown_target_is_told_with_the_nearest(store: Store) -> None:
    with pytest.raises(NotFound) as nothing:
        store.runs("prod")
    store.keep(run("prod/qwen3"), since=None)
    with pytest.raises(NotFound) as near:
        store.runs("prod/qwen")

    assert str(nothing.value) == "no target is called 'prod'; no run was kept yet"
    assert (near.value.code, near.value.suggestions) == ("unknown-target", ("prod/qwen3",))


def test_targets_are_listed_with_their_newest_verdict(store: Store) -> None:
    for one in (run("b", hour=1, verdict="healthy"), run("a", hour=0), run("b", hour=0), run("c", hour=2)):
        store.keep(one, since=None)

    first, second = store.targets(2), store.targets(2, part=Part(after="b"))

    assert first.targets == [Target("a", 1, at(0), at(0), "memory"), Target("b", 2, at(0), at(1), "healthy")]
    assert (first.has_next, first.has_previous, first.total) == (True, False, 3)
    assert [one.name for one in second.targets] == ["c"]
    assert (second.has_next, second.has_previous, second.total) == (False, True, 3)


def test_what_is_old_goes_with_the_next_write_and_with_all_that_belongs_to_it(store: Store, url: str) -> None:
    for one in (run(hour=0), run("other", hour=1), run(hour=2)):
        store.keep(one, since=None)

    store.keep(run(hour=5), since=at(2))

    assert [one.name for one in store.targets().targets] == ["prod"]
    assert [one.taken_at for one in store.runs("prod").runs] == [at(5), at(2)]
    assert rows(url, "SELECT count(*) FROM hypothesis") == [(4,)]


def test_one_write_removes_a_bounded_number_the_oldest_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert RUNS_REMOVED_MAX > 1, "or old runs would never become fewer"
    monkeypatch.setattr("knockon.store.runs.RUNS_REMOVED_MAX", 2)
    for hour in range(5):
        store.keep(run(hour=hour), since=None)

    store.keep(run(hour=9), since=at(4.5))
    assert [one.taken_at for one in store.runs("prod").runs] == [at(9), at(4), at(3), at(2)]
    store.keep(run(hour=10), since=at(4.5))

    assert [one.taken_at for one in store.runs("prod").runs] == [at(10), at(9), at(4)]


def test_writers_at_once_keep_every_run_once(store: Store, url: str) -> None:
    start = threading.Barrier(3)

    def keep(writer: int) -> list[bool]:
        with open_store(url, busy_timeout_s=60) as own:
            start.wait()
            shared = [run("shared", hour=hour) for hour in range(5)]
            return [own.keep(one, since=None).is_new for one in (*shared, run(f"own {writer}"))]

    with ThreadPoolExecutor(3) as pool:
        told = list(pool.map(keep, range(3)))

    assert [sum(told_of_one) for told_of_one in zip(*told, strict=True)] == [1, 1, 1, 1, 1, 3]
    assert store.runs("shared").total == 5
    assert store.targets().total == 4


def test_runs_and_revisions_are_written_at_once_without_loss(store: Store, url: str) -> None:
    start = threading.Barrier(2)

    def publish() -> int:
        with open_store(url, busy_timeout_s=60) as own:
            start.wait()
            return [own.publish(bundle(technique("a", n=n)), author="ada", message="").number for n in range(5)][-1]

    def keep() -> int:
        with open_store(url, busy_timeout_s=60) as own:
            start.wait()
            return sum(own.keep(run(hour=hour), since=None).is_new for hour in range(20))

    with ThreadPoolExecutor(2) as pool:
        published, kept = pool.submit(publish), pool.submit(keep)
        assert (published.result(60), kept.result(60)) == (5, 20)

    assert store.runs("prod").total == 20


def test_a_revision_that_is_not_there_cannot_have_judged_a_run(store: Store, url: str) -> None:
    before = everything(url)

    with pytest.raises(StoreError, match="refused a statement"):
        store.keep(replace(run(), revision=7), since=None)

    assert everything(url) == before
