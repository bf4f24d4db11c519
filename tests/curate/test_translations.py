"""The record of translations: what is out of date is said until somebody translates or confirms it."""

from pathlib import Path

import pytest

from knockon.curate.translations import FILE_NAME, _digest, read_ledger
from knockon.jobs.fmt import translations
from tests.curate.trees import TECHNIQUE, TREE, changed, complaints, written

RECORD = f"catalog/{FILE_NAME}"
OLD, NEW = "{en: Hold more, zh: 装得更多}", "{en: Hold all, zh: 装得更多}"
OLDER = (
    f"{TECHNIQUE}:10:26: the English beside it has changed since this was translated; expected Chinese that was made"
    " from this English; translate it anew; where it still says the same, `knockon catalog fmt --translated FILE`"
)


def record(folder: Path, files: dict[str, str] | None = None, *, confirmed: frozenset[Path] | None = None) -> str:
    """The record of the small tree with `files` over it."""
    made = translations(*written(folder, files or {}), confirmed=confirmed)
    assert made is not None
    return made.text


@pytest.fixture
def recorded(tmp_path: Path) -> str:
    return record(tmp_path, confirmed=frozenset())


def test_tree_without_a_record_stays_without_one(tmp_path: Path) -> None:
    assert translations(*written(tmp_path), confirmed=None) is None
    assert complaints(tmp_path, changed(TECHNIQUE, OLD, NEW)) == []


def test_recorded_tree_is_clean_and_its_record_stays(tmp_path: Path, recorded: str) -> None:
    assert complaints(tmp_path, {RECORD: recorded}) == []
    assert record(tmp_path, {RECORD: recorded}) == recorded


def test_english_that_changed_alone_makes_its_chinese_older(tmp_path: Path, recorded: str) -> None:
    files = {RECORD: recorded, **changed(TECHNIQUE, OLD, NEW)}

    assert complaints(tmp_path, files) == [OLDER]
    # Formatting is no translating: the complaint stays.
    assert complaints(tmp_path, {**files, RECORD: record(tmp_path, files)}) == [OLDER]


def test_translation_that_changed_too_is_recorded_with_its_english(tmp_path: Path, recorded: str) -> None:
    anew = {RECORD: recorded, **changed(TECHNIQUE, OLD, "{en: Hold all, zh: 全部装下}")}
    assert [line.split(":")[0] for line in complaints(tmp_path, anew)] == [TECHNIQUE, RECORD]
    assert complaints(tmp_path, {**anew, RECORD: record(tmp_path, anew)}) == []

    again = {RECORD: record(tmp_path, anew), **changed(TECHNIQUE, OLD, "{en: Hold any, zh: 全部装下}")}

    assert complaints(tmp_path, again) == [OLDER]


def test_confirmed_file_is_up_to_date_and_others_stay(tmp_path: Path, recorded: str) -> None:
    files = {
        RECORD: recorded,
        **changed(TECHNIQUE, OLD, NEW),
        **changed("catalog/quantities/latency.yaml", "{en: Waiting, zh: 等待时间}", "{en: Delay, zh: 等待时间}"),
    }
    catalog, _ = written(tmp_path, files)

    confirmed = record(tmp_path, files, confirmed=frozenset({(tmp_path / TECHNIQUE).resolve()}))

    (left,) = complaints(tmp_path, {**files, RECORD: confirmed})
    assert left.startswith("catalog/quantities/latency.yaml:")
    assert catalog.joinpath(FILE_NAME).is_file()


def test_same_chinese_for_new_english_elsewhere_is_not_older(tmp_path: Path, recorded: str) -> None:
    # "装得更多" stays beside "Hold more" in sharding.yaml.
    files = changed("catalog/techniques/inference/copying.yaml", "{en: Send less, zh: 少传}", NEW)

    files = {RECORD: recorded, **files}
    assert complaints(tmp_path, {**files, RECORD: record(tmp_path, files)}) == []


@pytest.mark.parametrize("count", [1, 2])
def test_sentence_that_the_record_lacks_is_complained_about(tmp_path: Path, recorded: str, count: int) -> None:
    pairs = [("Hold more", "装得更多"), ("Fewer copies", "副本更少")][:count]
    lines = [f"{_digest(chinese)} {_digest(english)}\n" for english, chinese in pairs]
    assert all(recorded.count(line) == 1 for line in lines)
    for line in lines:
        recorded = recorded.replace(line, "")

    assert complaints(tmp_path, {RECORD: recorded}) == [
        (
            f"{TECHNIQUE}:10:27: translations.lock has no line for this"
            f"{', nor for 1 more of the file' if count == 2 else ''}; expected each sentence in both languages in the"
            " record; look at both, then run `knockon catalog fmt`"
        )
    ]


@pytest.mark.parametrize("lines", [["00000000 00000001\n"], ["00000000 00000001\n", "ffffffff 00000000\n"]])
def test_line_of_no_sentence_is_complained_about(tmp_path: Path, recorded: str, lines: list[str]) -> None:
    head, *rest = recorded.splitlines(keepends=True)

    assert complaints(tmp_path, {RECORD: "".join((head, lines[0], *rest, *lines[1:]))}) == [
        (
            f"{RECORD}:2:1: no sentence belongs to this line{', nor to 1 more' if len(lines) == 2 else ''};"
            " expected lines of sentences that are there; run `knockon catalog fmt`"
        )
    ]


def test_lines_of_a_file_that_was_refused_are_not_called_unused(tmp_path: Path, recorded: str) -> None:
    found = complaints(tmp_path, {RECORD: recorded, **changed(TECHNIQUE, "mechanism: split-by-token\n", "")})

    assert [line for line in found if RECORD in line] == []


def test_sentence_that_is_gone_leaves_the_record(tmp_path: Path, recorded: str) -> None:
    gone = record(tmp_path, {RECORD: recorded, **changed(TECHNIQUE, OLD, "{en: Other, zh: 另外的话}")})

    lines, left = set(recorded.splitlines()), set(gone.splitlines())
    assert (len(lines - left), len(left - lines)) == (1, 1)


def test_leftovers_of_a_merge_are_complained_about(tmp_path: Path, recorded: str) -> None:
    head, first, *rest = recorded.splitlines(keepends=True)
    found = complaints(tmp_path, {RECORD: "".join((head, "<<<<<<< ours\n", first, *rest))})

    assert found == [
        (
            f"{RECORD}:2:1: this is no line of digests; expected two digests of eight hexadecimal digits; remove it,"
            " then run `knockon catalog fmt`"
        )
    ]


def test_record_names_every_sentence_once(tmp_path: Path, recorded: str) -> None:
    catalog, _ = written(tmp_path, {RECORD: recorded})
    ledger = read_ledger(catalog)

    assert ledger is not None
    assert recorded.count("\n") == 1 + sum(map(len, ledger.values()))
    assert sum(text.count("zh: ") for text in TREE.values()) >= len(ledger)
