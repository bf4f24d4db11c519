import pytest

from knockon.catalog.search import Wanted, find
from knockon.terms.errors import NotFound
from tests.catalog.bundles import catalog_of, cost, gain, said, technique

CATALOG = catalog_of(
    technique(
        "dcp",
        cells=[("inference", "L5", "storage"), ("inference", "L4", "network")],
        mechanism="shard",
        shifts=[gain("tokens", "up"), cost("bytes", "up", onto="network")],
        aliases={"en": ["Decode CP"], "zh": ["解码上下文并行"]},
        engines={"vllm": {"switch": "-dcp"}},
    ),
    technique("zero", cells=[("training", "L3", "storage")], shifts=[gain("states", "down"), cost("tokens", "down")]),
    technique("gone", tombstone={"reason": said("old")}),
)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(), ["dcp", "zero"]),
        (Wanted(words="decode"), ["dcp"]),
        (Wanted(words="ＤＥＣＯＤＥ summary"), ["dcp"]),
        (Wanted(words="上下文"), ["dcp"]),
        (Wanted(words="decode zero"), []),
        (Wanted(stage="training"), ["zero"]),
        (Wanted(layer="l4"), ["dcp"]),
        (Wanted(layer="L4", dimension="storage"), []),
        (Wanted(dimension="storage"), ["dcp", "zero"]),
        (Wanted(mechanism="shard"), ["dcp"]),
        (Wanted(gains="tokens"), ["dcp"]),
        (Wanted(costs="tokens"), ["zero"]),
        (Wanted(costs="network"), ["dcp"]),
        (Wanted(engine="vllm"), ["dcp"]),
        (Wanted(engine="vllm", stage="training"), []),
    ],
)
def test_everything_wanted_must_hold(wanted: Wanted, found: list[str]) -> None:
    assert [one.id for one in find(CATALOG, wanted)] == found


def test_unknown_axis_value_is_not_found() -> None:
    with pytest.raises(NotFound, match="no dimension is called 'sound'"):
        find(CATALOG, Wanted(dimension="sound"))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(engine="vlm"), "no engine is called 'vlm'; did you mean 'vllm'?"),
        (Wanted(mechanism="shrad"), "no mechanism is called 'shrad'; did you mean 'shard'?"),
        (Wanted(gains="unheard_of"), "no quantity or dimension is called 'unheard_of'"),
        (Wanted(costs="netwrok"), "no quantity or dimension is called 'netwrok'; did you mean 'network'?"),
    ],
)
def test_what_nothing_is_called_is_refused(wanted: Wanted, said: str) -> None:
    with pytest.raises(NotFound) as caught:
        find(CATALOG, wanted)
    assert str(caught.value) == said
