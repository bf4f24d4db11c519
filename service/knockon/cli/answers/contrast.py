"""Two techniques side by side, as the contract and the page show them."""

from collections.abc import Sequence

from knockon.catalog.contrast import Contrast, Side
from knockon.cli.answers.sources import cell_data, sources_data, text_data
from knockon.cli.answers.words import Speaker, dim
from knockon.formats.base import Block, Column, Paragraph, Section, Table, Words
from knockon.terms.words import Json


def contrast_data(contrast: Contrast) -> Json:
    """The comparison for programs."""
    return {
        "left": _side_data(contrast.left),
        "right": _side_data(contrast.right),
        "shared_cells": [cell_data(cell) for cell in contrast.shared_cells],
        "says": [text_data(relation.says) for relation in contrast.relations],
        "sources": sources_data(contrast.sources),
    }


def _side_data(side: Side) -> Json:
    return {
        "technique": side.technique,
        "goal": text_data(side.goal),
        "adds_devices": side.adds_devices,
        "mechanism": side.mechanism,
        "cells": [cell_data(cell) for cell in side.cells],
        "gains": [{"onto": one.onto, "quantity": one.quantity, "says": one.says.en} for one in side.gains],
        "costs": [{"onto": one.onto, "quantity": one.quantity, "says": one.says.en} for one in side.costs],
        "needs": [text_data(need.says) for need in side.needs],
    }


def contrast_section(contrast: Contrast, speaker: Speaker) -> Section:
    """The comparison for people: goal, whether devices are added, gains and costs, and what is said of the pair."""
    left, right = contrast.left, contrast.right
    yes, no = speaker.say("yes", "是"), speaker.say("no", "否")

    def told(side: Side) -> list[Words]:
        return [
            speaker.of(side.goal),
            "?" if side.adds_devices is None else yes if side.adds_devices else no,
            speaker.listed(dict.fromkeys(speaker.quantity(one.quantity) for one in side.gains)),
            speaker.listed(
                dict.fromkeys(f"{speaker.quantity(one.quantity)} ({speaker.onto(one.onto)})" for one in side.costs)
            ),
        ]

    labels = [
        speaker.say("goal", "目的"),
        speaker.say("adds devices", "增加设备"),
        speaker.say("gains on", "收益"),
        speaker.say("costs on", "代价"),
    ]
    rows: list[Sequence[Words]] = [
        [[dim(label)], one, other] for label, one, other in zip(labels, told(left), told(right), strict=True)
    ]
    columns = [Column("", wraps=False), Column(left.technique), Column(right.technique)]
    blocks: list[Block] = [Table(columns, rows)]
    blocks += [Paragraph(speaker.of(relation.says)) for relation in contrast.relations]
    return Section(speaker.say(f"Compared with {right.technique}", f"与 {right.technique} 对比"), blocks)
