"""The parts of an answer that describe the deployment: facts, sizes, techniques in use, flags nobody knows."""

from collections.abc import Sequence

from knockon.catalog.technique import Technique
from knockon.cli.answers.places import place_data
from knockon.cli.answers.sources import cell_data
from knockon.cli.answers.words import Speaker, dim, name, names, number
from knockon.engines.base import Refused
from knockon.expr.vocabulary import Vocabulary
from knockon.formats.base import Bullets, Column, Item, KeyValues, Marked, Table, Words
from knockon.jobs.deployment import Deployment
from knockon.sizing.sizing import Sizing
from knockon.terms.words import Json, Scalar, Text

_SIZES: Sequence[tuple[str, str, Text]] = (
    ("weights_bytes_per_gpu", "byte", Text("weights per GPU", "单卡权重")),
    ("kv_bytes_per_token_per_gpu", "byte", Text("KV bytes per token per GPU", "单卡每 token 的 KV 字节")),
    ("kv_head_replicas", "1", Text("copies of each KV head", "每个 KV 头的份数")),
    ("kv_cache_tokens", "token", Text("KV cache capacity", "KV 缓存容量")),
    ("max_concurrency", "1", Text("requests of full length at once", "满长请求的最大并发")),
    ("needed_bytes", "byte", Text("KV of one full request per GPU", "单个满长请求的单卡 KV")),
    ("fits", "1", Text("one full request fits", "能容纳一个满长请求")),
    ("longest_that_fits", "token", Text("longest max_model_len that fits", "可容纳的最大 max_model_len")),
    ("concurrency_that_fits", "1", Text("whole requests of full length at once", "可同时容纳的完整满长请求数")),
)


def facts_data(deployment: Deployment, vocabulary: Vocabulary) -> list[Json]:
    """The contract's `facts`, by name."""
    return [
        {
            "name": fact.name,
            "value": fact.value,
            "unit": unit_of(vocabulary, fact.name),
            "from": fact.origin.text,
            "at": place_data(fact.origin.at),
        }
        for _, fact in sorted(deployment.facts.items())
    ]


def sizing_data(sizing: Sizing) -> dict[str, Json]:
    """The contract's `sizing`; what cannot be told is null, and `reasons` says why."""
    values: dict[str, Json] = {key: getattr(sizing, key) for key, _, _ in _SIZES}
    band = sizing.kv_cache_tokens_band
    return {
        **values,
        "kv_cache_tokens_band": list(band) if band else None,
        "reasons": {name: reason.en for name, reason in sizing.reasons.items()},
        "steps": [
            {"name": step.name, "expression": step.expression, "value": step.value, "unit": step.unit}
            for step in sizing.steps
        ],
    }


def techniques_data(techniques: Sequence[Technique]) -> list[Json]:
    """The contract's `techniques`."""
    return [{"id": one.id, "cells": [cell_data(cell) for cell in one.cells]} for one in techniques]


def unknown_flags_data(deployment: Deployment) -> list[Json]:
    """The contract's `unknown_flags`."""
    return [
        {"flag": one.flag, "value": one.value, "suggestions": list(one.suggestions), "at": place_data(one.at)}
        for one in deployment.unknown_flags
    ]


def refused_data(refused: Sequence[Refused]) -> list[Json]:
    """Flags and values that the engine will not start with."""
    return [
        {"flag": one.flag, "value": one.value, "why": one.why.en, "why_zh": one.why.zh, "at": place_data(one.at)}
        for one in refused
    ]


def unit_of(vocabulary: Vocabulary, fact: str) -> str:
    """The unit of a fact as the vocabulary writes it; "1" for a name it lacks."""
    found = vocabulary.names.get(fact)
    return str(found.unit) if found else "1"


def facts_block(deployment: Deployment, vocabulary: Vocabulary, speaker: Speaker) -> Table:
    """Every fact with where it came from."""
    columns = [
        Column(speaker.say("fact", "事实"), wraps=False),
        Column(speaker.say("value", "值"), align="right"),
        Column(speaker.say("from", "来源")),
    ]
    rows: list[Sequence[Words]] = [
        [[name(fact.name)], number(fact.value, unit_of(vocabulary, fact.name)), [dim(fact.origin.text)]]
        for _, fact in sorted(deployment.facts.items())
    ]
    return Table(columns, rows)


def sizing_block(sizing: Sizing, speaker: Speaker) -> KeyValues:
    """The sizes that could be told, and for the others the reason."""
    return KeyValues([(speaker.of(label), _size(sizing, key, unit, speaker)) for key, unit, label in _SIZES])


def unknown_flags_block(deployment: Deployment, speaker: Speaker) -> Bullets:
    """Flags the engine's table does not have, with the nearest it has."""
    return Bullets([Item(_flag(one.flag, one.suggestions, speaker)) for one in deployment.unknown_flags])


def refused_block(refused: Sequence[Refused], speaker: Speaker) -> Bullets:
    """Flags and values that the engine will not start with, and why."""
    return Bullets(
        [
            Item(
                [
                    name(f"{one.flag} {one.value}".strip()),
                    f": {speaker.of(one.why)}",
                    dim(f" ({one.at})") if one.at else "",
                ]
            )
            for one in refused
        ]
    )


def _flag(flag: str, suggestions: Sequence[str], speaker: Speaker) -> Words:
    if not suggestions:
        return [name(flag)]
    meant = names(suggestions, separator=speaker.say(" or ", " 或 "))
    return [name(flag), speaker.say(" — did you mean ", " — 是否想写 "), *meant, speaker.say("?", "？")]


def _size(sizing: Sizing, key: str, unit: str, speaker: Speaker) -> Words:
    value: Scalar | None = getattr(sizing, key)
    if value is not None:
        if isinstance(value, bool):
            return speaker.say("yes", "是") if value else [Marked(speaker.say("no", "否"), "bad")]
        return number(value, unit)
    if key == "kv_cache_tokens" and sizing.kv_cache_tokens_band:
        low, high = sizing.kv_cache_tokens_band
        return speaker.say(f"between {low:,} and {high:,} token", f"{low:,} 至 {high:,} token")
    reason = sizing.reasons.get(key)
    return [dim(f"— {speaker.of(reason) if reason else ''}")]
