"""What asks a curator to tidy up: ages, numbers, translations, likeness and loops, word for word."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from knockon.curate.checks.likeness import name_key
from knockon.curate.checks.translations import numbers_in
from knockon.curate.lint import lint_tree
from knockon.terms.age import FRESH_DAYS, RULE_DAYS
from tests.curate.trees import TECHNIQUE, TREE, changed, complaints, written

COPYING = "catalog/techniques/inference/copying.yaml"
DOUBLING = "catalog/techniques/inference/doubling.yaml"
STORAGE = "catalog/quantities/storage.yaml"
LATENCY = "catalog/quantities/latency.yaml"
ALONE = "expected techniques that can be told apart; make them one, rename, or add a relation (contrasts, …) that says"


def doubling(**other: str) -> dict[str, str]:
    """A third technique beside the small tree's two, in the cell of `copying`; `other` replaces some of its text."""
    text = TREE[COPYING].replace("id: copying", "id: doubling").replace("Copying, zh: 复制", "Doubling, zh: 翻番")
    text = text.replace("Copies it., zh: 复制。", "Holds two., zh: 存两份。")
    for old, new in other.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return {DOUBLING: text}


def aged(folder: Path, today: str, files: Mapping[str, str] | None = None) -> list[str]:
    """The complaints of the small tree on another day."""
    problems = lint_tree(*written(folder, files or {}), today=today)
    return [str(problem).replace(f"{folder}/", "") for problem in problems if problem.code == "stale-claim"]


def test_other_technique_of_the_cell_is_no_duplicate(tmp_path: Path) -> None:
    assert complaints(tmp_path, doubling()) == []


@pytest.mark.parametrize("name", ["The copies", "Copy-ing of copies", "copied"])
def test_name_that_differs_by_spelling_is_a_near_duplicate(tmp_path: Path, name: str) -> None:
    found = complaints(tmp_path, doubling(**{"cells:": f"aliases: {{en: [{name}]}}\ncells:"}))

    what = f"'doubling' is nearly 'copying': '{name}' is 'copying' but for its spelling"
    assert found == ([f"{DOUBLING}:3:16: {what}; {ALONE} how they differ"] if name_key(name) == "copy" else [])


def test_names_alike_in_cells_apart_are_two(tmp_path: Path) -> None:
    files = doubling(
        **{"cells: [[inference, L5, network]]": "aliases: {en: [copies]}\ncells: [[inference, L5, storage]]"}
    )

    assert complaints(tmp_path, files) == []


def test_relation_tells_two_alike_apart(tmp_path: Path) -> None:
    says = "says: {en: Twice, zh: 两次}, cite: [paper]"
    alias = {"cells:": "aliases: {en: [copies]}\ncells:"}
    files = doubling(**alias, **{"shifts:": f"relations: [{{kind: contrasts, to: copying, {says}}}]\nshifts:"})

    assert complaints(tmp_path, files) == []


def test_flags_that_differ_by_a_letter_are_two(tmp_path: Path) -> None:
    files = doubling(**{"cells:": "aliases: {en: [--copy-size, copies_of]}\ncells:"})
    copying = {COPYING: TREE[COPYING].replace("cells:", "aliases: {en: [--copies-size, copy_of]}\ncells:")}

    assert complaints(tmp_path, {**files, **copying}) == []


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        (
            "en",
            "Keeps a whole copy of the cache on each of the devices",
            "Keeps a whole copy of the cache on each device",
        ),
        ("zh", "在每张卡上各保存一份完整的缓存，按需读取", "在每张卡上各保存一份完整的缓存，按需取"),
    ],
)
def test_summary_that_was_touched_up_is_a_near_duplicate(
    tmp_path: Path, language: str, first: str, second: str
) -> None:
    old = {"en": ("Copies it.", "Holds two."), "zh": ("复制。", "存两份。")}[language]
    copying = {COPYING: TREE[COPYING].replace(old[0], first)}

    (found,) = complaints(tmp_path, {**copying, **doubling(**{old[1]: second})})

    assert found.startswith(f"{DOUBLING}:")
    assert "'doubling' is nearly 'copying': its summary is the other's, " in found


def test_summaries_with_a_phrase_in_common_are_two(tmp_path: Path) -> None:
    copying = {COPYING: TREE[COPYING].replace("Copies it.", "Keeps a whole copy of the cache on each device it has")}
    files = doubling(**{"Holds two.": "Sends a page when somebody asks who keeps a whole copy of the cache"})

    assert complaints(tmp_path, {**copying, **files}) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("activation checkpointing", "Checkpointing of activations"),
        ("quantisation-aware training", "quantization aware trainings"),
        ("KV caches", "KV cache"),
        ("modelling", "modeling"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("FP8 training", "FP4 training"),
        ("1D parallelism", "2D parallelism"),
        ("strings", "str"),
        ("QuIP#", "QuIP"),
        ("SageAttention", "SpargeAttention"),
    ],
)
def test_names_of_two_things_have_two_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_number_of_a_summary_needs_a_cited_sentence(tmp_path: Path) -> None:
    summary = "Splits the cache\n    by token."

    found = complaints(tmp_path, changed(TECHNIQUE, summary, "Splits the cache\n    and saves 40 % of it."))

    assert found == [
        (
            f"{TECHNIQUE}:15:15: no source is given for '40 %'; expected the number in the size of a shift, or in"
            " another sentence that cites its source; add it there, or leave it out here"
        )
    ]


@pytest.mark.parametrize("text", ["Splits by 2 times", "Makes 4 bits of 16", "Runs on 8 GPUs", "vLLM 0.33 has it"])
def test_number_with_a_source_or_without_a_measure_is_fine(tmp_path: Path, text: str) -> None:
    # The size of the small tree's shift says a factor of 2.
    assert complaints(tmp_path, changed(TECHNIQUE, "Splits the cache\n    by token.", text)) == []


@pytest.mark.parametrize(
    ("rests_on", "said"),
    [("", "neither"), (", basis: stated, measured_on: 8 GPUs", "both")],
)
def test_size_says_one_thing_that_it_rests_on(tmp_path: Path, rests_on: str, said: str) -> None:
    (found,) = complaints(tmp_path, changed(TECHNIQUE, ", basis: arithmetic", rests_on))

    assert found == (
        f"{TECHNIQUE}:23:11: the size says {said} on what it was measured and what else it rests on; expected"
        " `measured_on`, or `basis` where nobody measured it; open the source; `measured_on` says what it names of"
        " model, data, hardware and version"
    )


def test_size_that_was_measured_needs_no_basis(tmp_path: Path) -> None:
    assert complaints(tmp_path, changed(TECHNIQUE, "basis: arithmetic", "measured_on: 8 GPUs")) == []


@pytest.mark.parametrize(
    ("english", "chinese"),
    [("60,000 pages", "6 万页"), ("42 thousand hours", "4.2 万小时"), ("65B in all", "共 650 亿"), ("1M", "100 万"),
     ("half of 7", "7 的 50%"), ("twice", "2 倍")],
)  # fmt: skip
def test_one_number_in_two_languages_is_even(tmp_path: Path, english: str, chinese: str) -> None:
    assert (
        complaints(tmp_path, changed(TECHNIQUE, "{en: Doubles, zh: 翻倍}", f"{{en: '{english}', zh: {chinese}}}")) == []
    )


def test_other_number_in_chinese_is_complained_about(tmp_path: Path) -> None:
    found = complaints(tmp_path, changed(TECHNIQUE, "{en: Doubles, zh: 翻倍}", "{en: 3 of 4, zh: 4 份中的 2 份}"))

    assert found == [
        f"{TECHNIQUE}:23:18: the English says 3, the Chinese 2; expected the same numbers in both languages"
    ]


def test_gap_in_a_chinese_sentence_is_complained_about(tmp_path: Path) -> None:
    folded = "{en: Doubles it. Mostly., zh: 翻倍。 大多如此。}"
    found = complaints(tmp_path, changed(TECHNIQUE, "{en: Doubles, zh: 翻倍}", folded))

    fix = "write the sentences on one line, or end the line elsewhere"
    assert found == [
        f"{TECHNIQUE}:23:48: a space follows '。', as where a folded line ends; expected Chinese without gaps; {fix}"
    ]
    assert complaints(tmp_path, changed(TECHNIQUE, "{en: Doubles, zh: 翻倍}", folded.replace("。 ", "。"))) == []


def test_numbers_are_read_with_what_multiplies_them() -> None:
    assert numbers_in("1,024 of 2.5K, 7B-Chat, 3 百万, FP8, 4Mb") == {
        1024: "1,024",
        2500: "2.5K",
        7e9: "7B",
        3e6: "3 百万",
        4: "4",
    }


def test_claim_is_stale_when_its_newest_source_is_too_old(tmp_path: Path) -> None:
    # The small tree's paper was looked at on 2026-11-29 and carries three shifts, a need, a relation and an influence.
    days = FRESH_DAYS["paper"]
    at = "catalog/citations/all.yaml:1:81"
    assert days == 1095
    assert [line for line in aged(tmp_path, "2029-11-28") if at in line] == []
    assert [line for line in aged(tmp_path, "2029-11-29") if at in line] == [
        (
            f"{at}: 6 claims, first in 'copying', rest on what was looked at on 2026-11-29; expected a look within"
            " 1095 days for a source of kind paper; read it again, mend what rests on it, and set `checked`"
        )
    ]


def test_younger_source_beside_an_old_one_keeps_a_claim_fresh(tmp_path: Path) -> None:
    young = 'young: {title: New, kind: document, url: "https://example.org/new", checked: 2029-11-01, depth: read}\n'
    files = {
        "catalog/citations/all.yaml": TREE["catalog/citations/all.yaml"] + young,
        **changed(TECHNIQUE, "cite: [{ref: paper, where: section 3}]", "cite: [paper, young]"),
    }

    (line,) = [line for line in aged(tmp_path, "2029-11-29", files) if "citations" in line]
    assert "5 claims" in line


def test_source_that_only_describes_is_never_stale(tmp_path: Path) -> None:
    # What the small tree saw itself supports thresholds, and those have a day of their own.
    assert [line for line in aged(tmp_path, "2029-11-28") if "citations" in line] == []


def test_rules_and_thresholds_are_stale_by_their_own_day(tmp_path: Path) -> None:
    said = f"was looked at on 2026-11-29; expected a look within {RULE_DAYS} days; look at its sources again, and set"

    assert aged(tmp_path, "2027-11-29") == []
    assert aged(tmp_path, "2027-11-30") == [
        f"rules/couple/K001-copies.yaml:24:10: rule K001 {said} `checked`",
        f"rules/diagnose/D001-full.yaml:15:10: rule D001 {said} `checked`",
        f"rules/profiles/big.yaml:5:68: the threshold 'cache_high' {said} `checked`",
        f"rules/profiles/default.yaml:5:72: the threshold 'cache_high' {said} `checked`",
    ]


def loop(note: str = "") -> dict[str, str]:
    """The small tree with an influence back from the wait to the cache."""
    back = f'{{on: cache_tokens, sign: "-", says: {{en: It fills, zh: 占满}}, {note}cite: [paper]}}'
    means = "means: {en: Waiting, zh: 等待时间}"
    return {LATENCY: TREE[LATENCY].replace(means, f"{means}, influences: [{back}]")}


def test_feedback_loop_without_a_note_is_complained_about(tmp_path: Path) -> None:
    assert complaints(tmp_path, loop()) == [
        (
            f"{STORAGE}:8:12: there is no note on the reinforcing loop cache_tokens → wait_s → cache_tokens; expected a"
            " sentence on what ends it; add `loop: {en: …, zh: …}` to one of its influences"
        )
    ]


def test_feedback_loop_with_a_note_at_any_of_its_influences_is_fine(tmp_path: Path) -> None:
    assert complaints(tmp_path, loop("loop: {en: When it is full, zh: 占满为止}, ")) == []


def test_summary_copied_into_another_cell_is_a_near_duplicate(tmp_path: Path) -> None:
    text = "Keeps a whole copy of the cache on each of the devices"
    files = doubling(**{"Holds two.": text[:-1], "[inference, L5, network]": "[inference, L5, storage]"})

    (found,) = complaints(tmp_path, {COPYING: TREE[COPYING].replace("Copies it.", text), **files})

    assert "'doubling' is nearly 'copying': its summary is the other's, 99 % letter by letter" in found


def test_name_proper_of_one_stage_is_one_for_spelling(tmp_path: Path) -> None:
    files = doubling(**{"{en: Doubling": "{en: The copy", "[inference, L5, network]": "[inference, L5, storage]"})

    (found,) = complaints(tmp_path, files)

    assert "'doubling' is nearly 'copying': 'The copy' is 'copying' but for its spelling" in found


@pytest.mark.parametrize(
    ("says", "size", "what"),
    [
        ("{en: Saves 40 % of it, zh: 更少}", "", "'40 %'"),
        ("{en: Saves it, zh: 省 40%}", "", "'40%'"),
        ("{en: Saves 40 % of it, zh: 省 40%}", "size: {text: {en: 40 % saved, zh: 省 40%}, basis: stated}, ", ""),
        ("{en: Stores 4 bits, zh: 存 4 位}", "", ""),
    ],
)
def test_measured_number_is_never_inferred(tmp_path: Path, says: str, size: str, what: str) -> None:
    new = f"{size}says: {says}, inferred: true"
    found = complaints(tmp_path, changed(COPYING, "says: {en: Less, zh: 变少}", new))

    assert [line.split(": ", 1)[1].split(";")[0] for line in found] == ([f"{what} is inferred"] if what else [])


@pytest.mark.parametrize(
    ("english", "chinese", "said"),
    [
        ("Makes it twice as fast.", "复制。", "'twice as fast'"),
        ("Runs three times faster.", "复制。", "'three times faster'"),
        ("Doubles the throughput.", "复制。", "'Doubles the throughput'"),
        ("Copies it.", "快一倍。", "'快一倍'"),
        ("Holds twice the layers, half of them on each device.", "一半在每张卡上，层数是两倍。", ""),
    ],
)
def test_measure_in_words_needs_its_number_in_a_size(tmp_path: Path, english: str, chinese: str, said: str) -> None:
    summary = f"summary: {{en: '{english}', zh: {chinese}}}"
    found = complaints(tmp_path, changed(COPYING, "summary: {en: Copies it., zh: 复制。}", summary))

    assert [line.split(": ", 1)[1].split(";")[0] for line in found] == (
        [f"no source is given for {said}"] if said else []
    )
