"""The answer of `catalog search`: techniques, best first."""

from collections.abc import Mapping, Sequence

from knockon.cli.answers.sources import cell_data, text_data
from knockon.cli.answers.words import Speaker, dim, name
from knockon.formats.base import Column, Page, Paragraph, Table, Words
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.search import SearchAnswer
from knockon.terms.words import Json, Text

_WHERE: Mapping[str, Text] = {
    "name": Text("name", "名称"),
    "alias": Text("alias", "别名"),
    "goal": Text("goal", "目的"),
    "summary": Text("summary", "摘要"),
    "spelling": Text("spelled alike", "拼写相近"),
}


def data(answer: SearchAnswer, knowledge: Knowledge) -> dict[str, Json]:
    """The answer for programs."""
    techniques = knowledge.catalog.techniques
    return {
        "asked": answer.asked,
        "hits": [
            {
                "id": hit.technique,
                "name": text_data(techniques[hit.technique].name),
                "cells": [cell_data(cell) for cell in techniques[hit.technique].cells],
                "score": round(hit.score, 1),
                "matched": hit.matched,
                "where": hit.where,
            }
            for hit in answer.hits
        ],
        "revision": answer.revision,
    }


def page(answer: SearchAnswer, knowledge: Knowledge, *, language: str) -> Page:
    """The answer for people: one row per technique, with what fits."""
    speaker = Speaker(language, knowledge.catalog)
    if not answer.hits:
        return Page([Paragraph(speaker.say("Nothing fits these words.", "没有匹配的技术。"))])
    rows: list[Sequence[Words]] = []
    for hit in answer.hits:
        technique = knowledge.catalog.techniques[hit.technique]
        found = speaker.of(_WHERE[hit.where]) + (f": {hit.matched}" if hit.matched else "")
        rows.append([[name(hit.technique)], speaker.of(technique.name), speaker.cell(technique.cells[0]), [dim(found)]])
    columns = [
        Column(speaker.say("technique", "技术"), wraps=False),
        Column(speaker.say("name", "名称")),
        Column(speaker.say("home", "归属")),
        Column(speaker.say("found by", "匹配")),
    ]
    return Page([Table(columns, rows)])
