"""A size says how far its own quantity moves, and a technique moves quantities that its stages have."""

import re

from tests import shipped as built

_SPEED = re.compile(r"times as fast|\bfaster\b|\bthroughput\b|speed-?up")
_MEMORY = re.compile(r"\b(?:less|peak|half (?:the|their)) memory\b|% smaller\b")
_AT = re.compile(r"\bat (?:equal|comparable|the same|[\d.]+ times)\b.*")
_OF_GENERATED_TOKENS = {"memory_bandwidth_bytes_per_token"}


def test_a_size_of_bytes_is_no_speed_and_one_of_speed_no_bytes() -> None:
    catalog = built.shipped().catalog
    of = {quantity.id: quantity.unit for quantity in catalog.quantities.values()}
    mixed = []
    for one in catalog.live:
        for shift in one.shifts:
            text = _AT.sub("", shift.size.text.en) if shift.size else ""
            bytes_alone = "byte" in of[shift.quantity] and "/s" not in of[shift.quantity]
            if _SPEED.search(text) and (bytes_alone or _MEMORY.search(text)):
                mixed.append((one.id, shift.quantity, text))

    assert mixed == []


def test_training_alone_moves_no_quantity_that_is_counted_for_each_generated_token() -> None:
    moved = [
        (one.id, shift.quantity)
        for one in built.shipped().catalog.live
        if {cell.stage for cell in one.cells} == {"training"}
        for shift in one.shifts
        if shift.quantity in _OF_GENERATED_TOKENS
    ]

    assert moved == []
