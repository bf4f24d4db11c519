import pytest

from knockon.catalog.cell import Cell
from knockon.catalog.source import Source
from knockon.terms.citation import Cite
from knockon.terms.errors import NotFound
from knockon.terms.words import CitationId
from tests.catalog.bundles import catalog_of, citation, gpu, model, said, technique

DCP = technique(
    "decode-context-parallelism",
    aliases={"en": ["DCP", "--decode-context-parallel-size"], "zh": ["解码上下文并行"]},
    former_ids=["decode-cp"],
)


@pytest.mark.parametrize(
    "name",
    [
        "decode-context-parallelism",
        "Decode_Context Parallelism",
        "dcp",
        "ＤＣＰ",
        "-dcp",
        "--decode_context_parallel_size",
        "解码上下文并行",
        "Name of decode-context-parallelism",
        "decode-cp",
    ],
)
def test_every_name_resolves_to_the_technique(name: str) -> None:
    catalog = catalog_of(DCP, technique("tensor-parallelism"))

    assert catalog.technique(name).id == "decode-context-parallelism"


def test_misspelt_name_is_not_found_with_suggestions() -> None:
    catalog = catalog_of(DCP, technique("tensor-parallelism"))

    with pytest.raises(NotFound) as caught:
        catalog.technique("tensor-paralelism")

    assert caught.value.suggestions[0] == "tensor-parallelism"
    assert str(caught.value).startswith("no technique is called 'tensor-paralelism'; did you mean 'tensor-parallelism'")


def test_name_like_nothing_is_not_found_without_suggestions() -> None:
    with pytest.raises(NotFound) as caught:
        catalog_of(DCP).technique("xyzzy")

    assert str(caught.value) == "no technique is called 'xyzzy'"


@pytest.mark.parametrize("name", ["", "  ", "--"])
def test_empty_name_asks_for_one(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        catalog_of(DCP).technique(name)

    assert str(caught.value) == f"no technique is called {name!r}; give a name"


def test_alias_of_two_techniques_lists_both() -> None:
    catalog = catalog_of(
        technique("context-parallelism", aliases={"en": ["CP"]}), technique("checkpointing", aliases={"en": ["cp"]})
    )

    with pytest.raises(NotFound) as caught:
        catalog.technique("CP")

    assert caught.value.suggestions == ("checkpointing", "context-parallelism")
    assert catalog.names_technique("CP")


def test_removed_technique_is_found_with_its_tombstone() -> None:
    old = technique(
        "old-way",
        aliases={"en": ["both", "only old"]},
        tombstone={"reason": said("superseded"), "replacement": "new-way"},
    )
    catalog = catalog_of(old, technique("new-way", aliases={"en": ["both"]}))

    removed = catalog.technique("old-way")

    assert removed.tombstone is not None
    assert removed.tombstone.replacement == "new-way"
    assert catalog.technique("only old").id == "old-way"
    assert catalog.technique("both").id == "new-way"
    assert [one.id for one in catalog.live] == ["new-way"]
    assert [one.id for one in catalog.techniques_in(Cell("inference", "L5", "storage"))] == ["new-way"]


def test_former_id_that_is_taken_again_means_the_new_holder() -> None:
    catalog = catalog_of(technique("a", former_ids=["b"]), technique("b"))

    assert catalog.technique("b").id == "b"


def test_technique_is_in_every_cell_it_spans() -> None:
    catalog = catalog_of(technique("fusion", cells=[("inference", "L3", "network"), ("inference", "L2", "compute")]))

    held = {str(cell): ids for cell, ids in catalog.indexes.by_cell.items()}

    assert held == {"inference × L3 × network": ("fusion",), "inference × L2 × compute": ("fusion",)}
    assert catalog.indexes.by_layer == {"L3": ("fusion",), "L2": ("fusion",)}
    assert catalog.indexes.by_stage == {"inference": ("fusion",)}


def test_sources_are_resolved_once_each_in_order() -> None:
    catalog = catalog_of(citation("paper"))
    paper, book = catalog.citations[CitationId("paper")], catalog.citations[CitationId("book")]

    sources = catalog.sources([Cite(CitationId("paper"), "p. 3"), Cite(CitationId("book")), Cite(paper.id, "p. 3")])

    assert sources == (Source(paper, "p. 3"), Source(book))
    assert (sources[0].title, sources[0].url, sources[0].where, sources[0].checked) == (
        "The paper",
        "https://example.org/paper",
        "p. 3",
        "2026-11-29",
    )


def test_unknown_citation_and_quantity_are_not_found() -> None:
    catalog = catalog_of()

    with pytest.raises(NotFound, match="no citation is called 'bok'; did you mean 'book'"):
        catalog.citation("bok")
    with pytest.raises(NotFound, match="no quantity is called 'x'"):
        catalog.quantity("x")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Qwen/Qwen3-235B-A22B", "Qwen/Qwen3-235B-A22B"),
        ("qwen/qwen3-235b-a22b", "Qwen/Qwen3-235B-A22B"),
        ("Qwen3-235B-A22B", "Qwen/Qwen3-235B-A22B"),
        ("Qwen/Qwen3-235B-A22B-FP8", "Qwen/Qwen3-235B-A22B"),
        ("other/Qwen3-8B", "other/Qwen3-8B"),
    ],
)
def test_model_is_found_by_name_alias_and_unique_basename(name: str, found: str) -> None:
    catalog = catalog_of(
        model("Qwen/Qwen3-235B-A22B", "Qwen/Qwen3-235B-A22B-FP8", config={"num_key_value_heads": 4}),
        model("Qwen/Qwen3-8B"),
        model("other/Qwen3-8B"),
    )

    assert catalog.model(name).name == found


def test_basename_of_two_models_lists_both() -> None:
    catalog = catalog_of(model("Qwen/Qwen3-8B"), model("other/Qwen3-8B"))

    with pytest.raises(NotFound) as caught:
        catalog.model("qwen3-8b")

    assert caught.value.suggestions == ("Qwen/Qwen3-8B", "other/Qwen3-8B")


H100 = (
    gpu("h100-sxm", "NVIDIA H100 SXM 80GB", "NVIDIA H100 80GB HBM3", "H100-SXM5-80GB"),
    gpu("h100-pcie", "NVIDIA H100 PCIe 80GB"),
    gpu("h200", "NVIDIA H200 SXM 141GB"),
    gpu("a100-40gb", "NVIDIA A100 40GB"),
    gpu("a100-80gb", "NVIDIA A100 80GB"),
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("h100-sxm", "h100-sxm"),
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("nvidia h100 sxm", "h100-sxm"),
        ("H100 80 GB PCIe", "h100-pcie"),
        ("H200", "h200"),
        ("Tesla A100-80GB", "a100-80gb"),
        ("A100 40 GB", "a100-40gb"),
    ],
)
def test_gpu_is_found_by_id_name_alias_and_words(name: str, found: str) -> None:
    assert catalog_of(*H100).gpu(name).id == found


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("H100", ("h100-pcie", "h100-sxm")),
        ("h100-80gb", ("h100-pcie", "h100-sxm")),
        ("A100", ("a100-40gb", "a100-80gb")),
    ],
)
def test_gpu_name_that_fits_several_lists_them(name: str, candidates: tuple[str, ...]) -> None:
    with pytest.raises(NotFound) as caught:
        catalog_of(*H100).gpu(name)

    assert caught.value.suggestions == candidates
    assert str(caught.value).endswith("the name fits each of these; say which one")


def test_unknown_gpu_is_not_found() -> None:
    with pytest.raises(NotFound, match="no gpu is called 'NVIDIA'"):
        catalog_of(*H100).gpu("NVIDIA")
