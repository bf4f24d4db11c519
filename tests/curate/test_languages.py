"""Sentences that stand in the other language, and numbers of what cites nothing, word for word."""

from pathlib import Path

import pytest

from tests.curate.trees import TECHNIQUE, TREE, changed, complaints

STORAGE = "catalog/quantities/storage.yaml"
LATENCY = "catalog/quantities/latency.yaml"


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        ("goal: {en: Hold more, zh: 装得更多}", "goal: {en: Send fewer bytes, zh: %s}", "10:34"),
        ("says: {en: Fewer copies, zh: 副本更少}", "says: {en: Fewer copies, zh: %s}", "24:34"),
        ("says: {en: Copies, zh: 有副本}", "says: {en: Copies, zh: %s}", "35:29"),
    ],
)
@pytest.mark.parametrize("chinese", ["Send fewer bytes", "Less", "1/PP", "GPTQ", "It doubles the cache."])
def test_sentence_without_chinese_is_complained_about(
    tmp_path: Path, old: str, new: str, column: str, chinese: str
) -> None:
    found = complaints(tmp_path, changed(TECHNIQUE, old, new % chinese))

    assert found == [f"{TECHNIQUE}:{column}: no Chinese stands here; expected the sentence in Chinese; translate it"]


@pytest.mark.parametrize(
    ("english", "chinese", "is_english"),
    [
        ("Half", "It doubles the cache.", True),
        ("Half", "Doubles", True),
        ("Half", "KV cache", True),
        ("Saves 20%", "Saves 20%", True),
        ("1/PP", "1/PP", False),
        ("23 % with FSDP2, 40 % with Megatron", "FSDP2 23%，Megatron 40%", False),
        ("Half", "head_count / shard_size = {copies}", False),
    ],
)
def test_figure_is_the_same_in_chinese(tmp_path: Path, english: str, chinese: str, *, is_english: bool) -> None:
    new = f"{{en: '{english}', zh: '{chinese}'}}"
    found = complaints(tmp_path, changed(TECHNIQUE, "{en: Doubles, zh: 翻倍}", new))

    assert [line.split(": ", 1)[1] for line in found] == (
        ["no Chinese stands here; expected the sentence in Chinese; translate it"] if is_english else []
    )


@pytest.mark.parametrize(
    ("name", "is_english"),
    [("GPTQ", False), ("CUDA Graph", False), ("FlashAttention", False), ("vLLM", False), ("alpa", False),
     ("Send fewer bytes", True), ("Flash attention", True)],
)  # fmt: skip
def test_name_in_capitals_is_the_same_in_chinese(tmp_path: Path, name: str, *, is_english: bool) -> None:
    found = complaints(tmp_path, changed(TECHNIQUE, "{en: Sharding, zh: 切分}", f"{{en: Sharding, zh: {name}}}"))

    said = "no Chinese stands here; expected the sentence in Chinese; translate it"
    assert found == ([f"{TECHNIQUE}:2:26: {said}"] if is_english else [])


def test_chinese_where_english_belongs_is_complained_about(tmp_path: Path) -> None:
    found = complaints(tmp_path, changed(TECHNIQUE, "{en: Hold more, zh", "{en: Hold 更多, zh"))

    assert found == [f"{TECHNIQUE}:10:12: Chinese stands here; expected the sentence in English; translate it"]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        # A number of the Chinese alone, and those of things that cite nothing.
        (
            TECHNIQUE,
            "zh: 按 token 切分缓存。",
            "zh: 按 token 切分缓存，省 40%。",
            "16:22: no source is given for '40%'",
        ),
        (TECHNIQUE, "zh: 装得更多", "zh: 装下 3 倍", "10:30: no source is given for '3 倍'"),
        (LATENCY, "{en: Waiting, zh: 等待时间}", "{en: Waits of 5 s, zh: 等待时间}", "no source is given for '5 s'"),
        ("rules/walls.yaml", "means: {en: ", "means: {en: 40 % of ", "no source is given for '40 %'"),
        # What cites, or stands in a rule that does, is sourced.
        (TECHNIQUE, "says: {en: More traffic, zh", "says: {en: 7 % more traffic, zh", ""),
        (TECHNIQUE, "says: {en: Copies, zh", "says: {en: 7 GB of copies, zh", ""),
        (TECHNIQUE, "says: {en: The other way, zh", "says: {en: 7 % of the other way, zh", ""),
        (STORAGE, "says: {en: Room, zh", "says: {en: 7 % of room, zh", ""),
        ("rules/couple/K001-copies.yaml", "{en: Traffic, zh", "{en: 7 % of traffic, zh", ""),
    ],
)
def test_number_of_what_cites_nothing_is_complained_about(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    found = complaints(tmp_path, {file: TREE[file].replace(old, new, 1)})

    assert TREE[file] != TREE[file].replace(old, new, 1)
    assert len(found) == bool(said)
    assert not said or (found[0].startswith(f"{file}:") and said in found[0])


@pytest.mark.parametrize(
    ("chinese", "is_english"),
    [
        ("It doubles the cache that it holds 的", True),
        ("翻倍 of the cache it holds", True),
        ("翻倍，见 vllm 与 sglang 的 token 上限", False),
        ("写入 kv_cache_dtype 与 --max-num-seqs 之后翻倍", False),
    ],
)
def test_english_with_one_chinese_character_is_complained_about(
    tmp_path: Path, chinese: str, *, is_english: bool
) -> None:
    found = complaints(tmp_path, changed(TECHNIQUE, "zh: 副本更少}", f"zh: '{chinese}'}}"))

    assert [line.split(": ", 1)[1] for line in found] == (
        ["hardly any Chinese stands here; expected the sentence in Chinese; translate it"] if is_english else []
    )
