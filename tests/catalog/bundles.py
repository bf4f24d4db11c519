"""Makers of small catalogs: bodies as curation leaves them, with everything a test does not care about filled in."""

from collections.abc import Mapping, Sequence

from knockon.catalog.build import build_catalog
from knockon.catalog.catalog import Catalog
from knockon.terms.bundle import Bundle, Entry
from knockon.terms.words import Json

Body = dict[str, Json]


def said(text: str) -> Body:
    return {"en": text, "zh": f"{text}（中）"}


def axis(*values: str) -> Body:
    return {value: {"name": said(f"name of {value}"), "means": said(value)} for value in values}


AXES = Entry(
    "axes",
    "axes",
    {
        "stages": axis("training", "inference"),
        "layers": axis("L1", "L2", "L3", "L4", "L5", "L6", "L7"),
        "dimensions": axis("compute", "storage", "network"),
        "burdens": {
            "quality": {"name": said("name of quality"), "means": said("quality"), "carried": True},
            **axis("money"),
        },
    },
)


def citation(key: str = "book") -> Entry:
    body: Body = {"title": f"The {key}", "kind": "document", "url": f"https://example.org/{key}"}
    return Entry("citation", key, {**body, "checked": "2026-11-29", "depth": "read"})


def shift(effect: str, quantity: str, change: str, *, onto: str = "storage", when: str = "", **more: Json) -> Body:
    body: Body = {"effect": effect, "onto": onto, "quantity": quantity, "change": change, **more}
    body |= {"says": said(f"{effect} {quantity} {change}"), "cite": ["book"]}
    return {**body, "when": when} if when else body


def gain(quantity: str, change: str, *, when: str = "", **more: Json) -> Body:
    return shift("gain", quantity, change, when=when, **more)


def cost(quantity: str, change: str, *, when: str = "", **more: Json) -> Body:
    return shift("cost", quantity, change, when=when, **more)


def relation(kind: str, to: str, *, when: str = "") -> Body:
    body: Body = {"kind": kind, "to": to, "says": said(f"{kind} {to}"), "cite": [{"ref": "book", "where": kind}]}
    return {**body, "when": when} if when else body


def need(when: str = "") -> Body:
    body: Body = {"says": said(f"needs {when}"), "cite": ["book"]}
    return {**body, "when": when} if when else body


def technique(
    key: str,
    *,
    cells: Sequence[tuple[str, str, str]] = (("inference", "L5", "storage"),),
    mechanism: str = "",
    shifts: Sequence[Body] = (),
    needs: Sequence[Body] = (),
    relations: Sequence[Body] = (),
    **more: Json,
) -> Entry:
    body: Body = {
        "id": key,
        "name": said(f"Name of {key}"),
        "cells": [list(cell) for cell in cells],
        "mechanism": mechanism or f"do-{key}",
        "goal": said(f"goal of {key}"),
        "summary": said(f"summary of {key}"),
        "shifts": list(shifts),
        "cite": ["book"],
    }
    body |= {"needs": list(needs)} if needs else {}
    body |= {"relations": list(relations)} if relations else {}
    return Entry("technique", key, {**body, **more})


def quantity(key: str, *, better: str = "up", of: str = "storage", **pulls: str) -> Entry:
    """`pulls`: quantity → "+" or "-", with a stage or a condition behind it: "+ in training", "+ when a > b"."""
    influences: list[Json] = []
    for on, pull in pulls.items():
        start, _when, condition = pull.partition(" when ")
        sign, _in, stage = start.partition(" in ")
        influence: Body = {"on": on, "sign": sign, "says": said(f"{key} pulls {on}"), "cite": ["book"]}
        influence |= {"stages": [stage]} if stage else {}
        influences.append({**influence, "when": condition} if condition else influence)
    body: Body = {"name": said(key), "of": of, "unit": "1", "better": better, "means": said(key)}
    return Entry("quantity", key, {**body, "influences": influences} if influences else body)


def vote(judgement: str, *, inferred: bool = False) -> Body:
    body: Body = {"judgement": judgement, "says": said(judgement), "cite": ["book"]}
    return {**body, "inferred": True} if inferred else body


def symptom(
    key: str,
    *,
    en: Sequence[str] = (),
    zh: Sequence[str] = (),
    of: Sequence[str] = (),
    measure: Sequence[str] = (),
    **votes: str,
) -> Entry:
    body: Body = {"name": said(key), "layers": {layer: vote(judgement) for layer, judgement in votes.items()}}
    body |= {"aliases": {"en": list(en), "zh": list(zh)}} if en or zh else {}
    body |= {"of": list(of)} if of else {}
    return Entry("symptom", key, {**body, "measure": list(measure)} if measure else body)


def cell_note(cell: tuple[str, str, str], state: str) -> Entry:
    body: Body = {"cell": list(cell), "state": state, "why": said(f"why {state}"), "cite": ["book"]}
    return Entry("cell", "|".join(cell), body)


def gpu(key: str, name: str, *aliases: str, **more: Json) -> Entry:
    return Entry("gpu", key, {"name": name, "aliases": list(aliases), "cite": ["book"], **more})


def model(name: str, *aliases: str, config: Mapping[str, Json] | None = None) -> Entry:
    return Entry("model", name, {"aliases": list(aliases), "config": dict(config or {}), "cite": ["book"]})


def catalog_of(*entries: Entry) -> Catalog:
    """A catalog of these entries, the axes above and one citation, `book`."""
    return build_catalog(Bundle.of((AXES, citation(), *entries)))
