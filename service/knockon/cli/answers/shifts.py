"""Techniques with their shifts, needs and relations, as the contracts and the pages show them."""

from collections.abc import Iterable, Sequence

from knockon.catalog.technique import Need, Relation, Shift, Size, Technique
from knockon.cli.answers.ages import age_data, age_words
from knockon.cli.answers.sources import cell_data, cited_data, text_data
from knockon.cli.answers.words import Speaker, arrow, dim, name, times
from knockon.formats.base import Column, Marked, Table, Words
from knockon.jobs.age import Ages
from knockon.terms.words import Change, Effect, Json


def technique_data(technique: Technique, ages: Ages) -> dict[str, Json]:
    """One technique: the contract of `catalog export`, and more."""
    return {
        "id": technique.id,
        "name": text_data(technique.name),
        "aliases": [alias for group in technique.aliases.values() for alias in group],
        "cells": [cell_data(cell) for cell in technique.cells],
        "shifts": [shift_data(shift, ages) for shift in technique.shifts],
        "sources": cited_data(ages.knowledge.catalog, technique.cite),
        "mechanism": technique.mechanism,
        "goal": text_data(technique.goal),
        "summary": text_data(technique.summary),
        "summary_inferred": technique.summary_inferred,
        "adds_devices": technique.adds_devices,
        "needs": [need_data(need, ages) for need in technique.needs],
        "relations": [relation_data(relation, ages) for relation in technique.relations],
        "engines": {one.engine: {"switch": one.switch, "since": one.since or None} for one in technique.switches},
        "former_ids": list(technique.former_ids),
        "removed": (
            {"reason": text_data(technique.tombstone.reason), "replacement": technique.tombstone.replacement}
            if technique.tombstone
            else None
        ),
    }


def shift_data(shift: Shift, ages: Ages) -> Json:
    """One shift."""
    return {
        "effect": shift.effect.value,
        "onto": shift.onto,
        "quantity": shift.quantity,
        "change": shift.change.value,
        "when": shift.when_text,
        "size": size_data(shift.size),
        "says": shift.says.en,
        "says_zh": shift.says.zh,
        "inferred": shift.inferred,
        **age_data(shift, ages),
        "sources": cited_data(ages.knowledge.catalog, shift.cite),
    }


def size_data(size: Size | None) -> Json:
    """How much, as the source says it; null where no source does."""
    if size is None:
        return None
    return {
        "text": text_data(size.text),
        "factor": size.factor,
        "value": size.value,
        "unit": size.unit,
        "measured_on": size.measured_on,
        "basis": size.basis,
    }


def need_data(need: Need, ages: Ages) -> Json:
    """What a technique assumes."""
    return {
        "when": need.when_text,
        "says": need.says.en,
        "says_zh": need.says.zh,
        "inferred": need.inferred,
        **age_data(need, ages),
        "sources": cited_data(ages.knowledge.catalog, need.cite),
    }


def relation_data(relation: Relation, ages: Ages) -> Json:
    """How a technique stands to another."""
    return {
        "kind": relation.kind,
        "to": relation.to,
        "when": relation.when_text,
        "says": relation.says.en,
        "says_zh": relation.says.zh,
        "inferred": relation.inferred,
        **age_data(relation, ages),
        "sources": cited_data(ages.knowledge.catalog, relation.cite),
    }


def shifts_block(shifts: Iterable[Shift], speaker: Speaker, ages: Ages) -> Table:
    """Gains, then costs: where, what moves, and what is said of it."""
    ordered = sorted(shifts, key=lambda shift: shift.effect is Effect.COST)
    rows: list[Sequence[Words]] = [
        [
            [Marked("+", "good") if shift.effect is Effect.GAIN else Marked("−", "bad")],
            [Marked(speaker.onto(shift.onto), "strong")],
            moved(shift, speaker),
            _said(shift, speaker, ages),
        ]
        for shift in ordered
    ]
    columns = [
        Column("", wraps=False),
        Column(speaker.say("on", "落在"), wraps=False),
        Column(speaker.say("quantity", "量")),
        Column(speaker.say("how", "说明")),
    ]
    return Table(columns, rows)


def moved(shift: Shift, speaker: Speaker) -> str:
    """A quantity and which way it moves, by how much."""
    sign = 1 if shift.change is Change.UP else -1
    factor = shift.size.factor if shift.size else None
    return " ".join(part for part in (speaker.quantity(shift.quantity), arrow(sign), times(factor)) if part)


def _said(shift: Shift, speaker: Speaker, ages: Ages) -> Words:
    words: list[str | Marked] = [speaker.of(shift.says)]
    if shift.size and (size := speaker.of(shift.size.text)):
        words += [" ", dim(f"[{size}]")]
    if shift.when_text:
        words += [dim(speaker.say(" when ", " 当 ")), name(shift.when_text)]
    if shift.inferred:
        words.append(dim(speaker.say(" (inferred)", "（推断）")))
    return [*words, *age_words(shift, ages, speaker)]
