import pytest

from knockon.catalog.grid import CellState, grid
from knockon.catalog.place import Standing
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.place import place
from knockon.terms.errors import NotFound


@pytest.mark.parametrize("dimension", ["network", "compute"])
@pytest.mark.parametrize("layer", ["L2", "L3"])
def test_fused_matmul_allreduce_is_found_between_its_layers(shipped: Knowledge, layer: str, dimension: str) -> None:
    answer = place(shipped, stage="inference", layer=layer, dimension=dimension).placement

    fusion = next(one for one in answer.residents if one.technique.id == "matmul-allreduce-fusion")
    assert {cell.layer for cell in fusion.technique.cells} == {"L2", "L3"}
    assert [cell.dimension for cell in fusion.technique.cells][:1] == ["network"]
    assert answer.standing is Standing.UNDECIDED


def test_same_mechanism_replaces_and_another_is_an_alternative(shipped: Knowledge) -> None:
    same = place(shipped, stage="inference", layer="L5", dimension="storage", mechanism="shard-kv-by-token").placement
    other = place(shipped, stage="推理", layer="l5", dimension="存储", mechanism="something-new").placement

    assert (same.standing, same.to) == (Standing.REPLACEMENT, ("decode-context-parallelism",))
    assert other.standing is Standing.ALTERNATIVE
    assert other.cell == same.cell
    assert "decode-context-parallelism" in other.to


def test_two_known_mechanisms_are_a_combination(shipped: Knowledge) -> None:
    answer = place(
        shipped, stage="inference", layer="L5", dimension="storage", mechanism="shard-kv-by-token+quantize-kv"
    ).placement

    assert (answer.standing, answer.to) == (
        Standing.COMBINATION,
        ("decode-context-parallelism", "kv-cache-quantization", "nvfp4-kv-cache"),
    )


def test_empty_cell_is_a_new_direction(shipped: Knowledge) -> None:
    empty = [one.cell for one in grid(shipped.catalog) if one.state in (CellState.UNEXPLORED, CellState.KNOWN_EMPTY)]
    assert empty

    for cell in empty:
        found = place(shipped, stage=cell.stage, layer=cell.layer, dimension=cell.dimension, mechanism="new").placement
        assert (found.standing, found.residents, found.rule) == (Standing.NEW_DIRECTION, (), "cell-empty"), cell


def test_known_empty_cell_says_why(shipped: Knowledge) -> None:
    answer = place(shipped, stage="inference", layer="L2", dimension="energy", mechanism="new").placement

    assert answer.state.state is CellState.KNOWN_EMPTY
    assert answer.state.why is not None
    assert answer.state.sources != ()


def test_unknown_layer_is_not_found(shipped: Knowledge) -> None:
    with pytest.raises(NotFound, match="no layer is called 'L8'"):
        place(shipped, stage="inference", layer="L8", dimension="storage")
