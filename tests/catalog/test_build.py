import pytest

from knockon.catalog.build import build_catalog
from knockon.catalog.cell import Cell
from knockon.catalog.machine import Gpu, Model
from knockon.catalog.technique import Need, Relation, Shift, Size, Switch
from knockon.expr.condition import condition
from knockon.expr.parse import parse
from knockon.terms.bundle import Bundle
from knockon.terms.citation import Cite
from knockon.terms.words import Change, CitationId, Effect, QuantityId, TechniqueId, Text
from tests.catalog.bundles import (
    AXES,
    catalog_of,
    citation,
    cost,
    gpu,
    model,
    need,
    quantity,
    relation,
    said,
    technique,
)

BOOK = (Cite(CitationId("book")),)


def test_technique_body_becomes_a_technique() -> None:
    catalog = catalog_of(
        technique(
            "dcp",
            cells=[("inference", "L5", "storage"), ("inference", "L4", "network")],
            shifts=[
                cost(
                    "bytes",
                    "up",
                    when="tp > heads",
                    onto="network",
                    inferred=True,
                    size={"text": said("twice"), "factor": 2, "measured_on": "8 GPUs"},
                )
            ],
            needs=[need("tp > 1"), need()],
            relations=[relation("requires", "tp")],
            adds_devices=False,
            summary_inferred=True,
            engines={"vllm": {"switch": "-dcp", "since": "0.10.2"}, "sglang": {"switch": "--dcp-size"}},
            detect="dcp > 1",
        )
    )

    found = catalog.technique("dcp")

    assert found.cells == (Cell("inference", "L5", "storage"), Cell("inference", "L4", "network"))
    assert found.adds_devices is False
    assert found.summary_inferred
    assert found.shifts == (
        Shift(
            effect=Effect.COST,
            onto="network",
            quantity=QuantityId("bytes"),
            change=Change.UP,
            says=Text("cost bytes up", "cost bytes up（中）"),
            cite=BOOK,
            when_text="tp > heads",
            size=Size(Text("twice", "twice（中）"), factor=2, measured_on="8 GPUs"),
            inferred=True,
        ),
    )
    assert found.needs == (
        Need(Text("needs tp > 1", "needs tp > 1（中）"), BOOK, "tp > 1"),
        Need(Text("needs ", "needs （中）"), BOOK),
    )
    assert found.relations == (
        Relation(
            "requires",
            TechniqueId("tp"),
            Text("requires tp", "requires tp（中）"),
            (Cite(CitationId("book"), "requires"),),
        ),
    )
    assert found.switches == (Switch("vllm", "-dcp", "0.10.2"), Switch("sglang", "--dcp-size"))
    assert found.detect == parse("dcp > 1")
    assert found.shifts[0].when == parse("tp > heads")
    assert found.needs[1].when is None


def test_condition_is_given_in_normal_form() -> None:
    assert condition("not (a > 2s)") == parse("a <= 2")


def test_quantity_body_becomes_a_quantity() -> None:
    catalog = catalog_of(quantity("tokens", better="up", concurrency="+", preemptions="- when a > 1"))

    tokens = catalog.quantity("tokens")

    assert (tokens.of, tokens.unit, tokens.better) == ("storage", "1", "up")
    assert [(one.on, one.sign, one.when_text) for one in tokens.influences] == [
        ("concurrency", 1, ""),
        ("preemptions", -1, "a > 1"),
    ]


def test_machine_bodies_become_models_and_gpus() -> None:
    catalog = catalog_of(
        model("a/b", config={"num_hidden_layers": 2}),
        gpu("x", "X", memory_bytes=80, compute_capability="9.0", dense_flops={"bf16": 1.0e15}),
    )

    assert catalog.models["a/b"] == Model("a/b", (), {"num_hidden_layers": 2}, None, BOOK)
    assert catalog.gpus["x"] == Gpu("x", "X", (), 80, None, "9.0", {"bf16": 1.0e15}, None, BOOK)


def test_axes_keep_their_order() -> None:
    axes = catalog_of().axes

    assert list(axes.layers) == ["L1", "L2", "L3", "L4", "L5", "L6", "L7"]
    assert axes.stages["inference"].name == Text("name of inference", "name of inference（中）")


@pytest.mark.parametrize("count", [600])
def test_large_catalog_is_built_fast(count: int) -> None:
    entries = [
        technique(
            f"technique-{index}",
            shifts=[cost(f"q{shift}", "up", when=f"fact_{index} > {shift}") for shift in range(4)],
            needs=[need(f"fact_{index} > 1")],
            relations=[relation("contrasts", f"technique-{(index + 1) % count}")],
            aliases={"en": [f"T{index}", f"--flag-{index}"], "zh": [f"技术{index}"]},
            detect=f"fact_{index} > 1",
        )
        for index in range(count)
    ]
    bundle = Bundle.of((AXES, citation(), *entries))

    catalog = build_catalog(bundle)

    assert len(catalog.techniques) == count
