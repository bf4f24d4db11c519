"""Values that are made when somebody asks for them."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from knockon.terms.bundle import Bundle, Entry
from knockon.terms.ondemand import Listed, OnDemand


def counted(sources: dict[str, int]) -> tuple[OnDemand[str, int, str], list[str]]:
    made: list[str] = []

    def make(key: str, source: int) -> str:
        made.append(key)
        return key * source

    return OnDemand(sources, make), made


def test_value_is_made_once_and_only_when_asked_for() -> None:
    values, made = counted({"a": 1, "b": 2, "c": 3})

    assert ("b" in values, "d" in values, len(values), list(values)) == (True, False, 3, ["a", "b", "c"])
    assert made == []
    assert (values["b"], values["b"], values.get("d")) == ("bb", "bb", None)
    assert made == ["b"]


def test_whole_keeps_the_order_of_the_sources_whatever_was_made_first() -> None:
    values, made = counted({"a": 1, "b": 2, "c": 3})

    assert values["c"] == "ccc"
    assert list(values.values()) == ["a", "bb", "ccc"]
    assert list(values.items()) == [("a", "a"), ("b", "bb"), ("c", "ccc")]
    assert values == {"a": "a", "b": "bb", "c": "ccc"}
    assert made == ["c", "a", "b"]


def test_threads_that_ask_at_once_get_the_same_value() -> None:
    values = OnDemand({number: number for number in range(200)}, lambda _, source: [source])

    with ThreadPoolExecutor(8) as threads:
        asked = list(threads.map(lambda _: [id(values[number]) for number in range(200)], range(8)))

    assert all(one == asked[0] for one in asked)


def test_what_cannot_be_made_says_so_every_time() -> None:
    values: OnDemand[str, int, str] = OnDemand({"a": 0}, lambda _, source: str(1 // source))

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            values["a"]


def test_listed_values_are_a_sequence_that_makes_what_is_looked_at() -> None:
    values, made = counted({"a": 1, "b": 2, "c": 3})
    listed = Listed(values)

    assert (listed[1], listed[-1], len(listed), made) == ("bb", "ccc", 3, ["b", "c"])
    assert (listed[:2], list(listed)) == (("a", "bb"), ["a", "bb", "ccc"])
    assert listed == ("a", "bb", "ccc")
    with pytest.raises(IndexError):
        listed[3]


def test_entry_reads_its_text_when_its_body_is_asked_for() -> None:
    asked: list[bytes] = []

    def read(text: bytes) -> dict[str, str]:
        asked.append(text)
        return {"detect": "a"}

    kept, plain = Entry("technique", "t", read, b'{"detect":"a"}'), Entry("technique", "t", {"detect": "a"})

    assert [one.may_state(key) for one in (kept, plain) for key in ("detect", "needs")] == [True, False, True, False]
    assert asked == []
    assert kept == plain
    assert (kept.body, asked) == ({"detect": "a"}, [b'{"detect":"a"}'])


def test_text_that_speaks_of_a_key_in_quotes_does_not_state_it() -> None:
    entry = Entry("technique", "t", lambda _: {}, rb'{"says":"write \"detect\": here"}')

    assert not entry.may_state("detect")


def test_bundle_makes_what_is_asked_for_by_key() -> None:
    bundle = Bundle.of([Entry("gpu", key, {"name": key}) for key in ("b", "a")])
    made: list[str] = []

    def make(key: str, body: object) -> object:
        made.append(key)
        return body

    held = bundle.made("gpu", make)

    assert (held["b"], made, list(held)) == ({"name": "b"}, ["b"], ["a", "b"])
    assert list(bundle.made("model", make)) == []
