import pytest

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.indexes import RelationOf
from knockon.catalog.locate import Neighbourhood, SymptomPlace, TechniquePlace, locate, locate_symptom
from knockon.catalog.symptom import Judgement
from knockon.terms.errors import LimitExceeded, NotFound
from tests.catalog.bundles import catalog_of, cost, gain, need, relation, said, symptom, technique

L4, L5, L6 = (("inference", layer, "storage") for layer in ("L4", "L5", "L6"))


def symptoms() -> Catalog:
    return catalog_of(
        symptom("decode-slow", en=["decode slow"], measure=["itl_s"], L4="possible", L5="likely", L7="unlikely"),
        symptom("memory-tight", en=["memory tight"], measure=["kv", "itl_s"], L5="likely", L7="possible", L1="cannot"),
        symptom("each-layer-fine", en=["each layer fine"], L5="cannot", L6="likely"),
        symptom("both", of=["decode-slow", "memory-tight"], measure=["preemptions"], L4="likely", L7="cannot"),
    )


def judged(place: SymptomPlace) -> dict[str, str]:
    return {layer.layer: layer.judgement.value for layer in place.layers}


def test_technique_has_its_neighbours_by_cell() -> None:
    catalog = catalog_of(
        technique("mine", cells=[L5, ("inference", "L4", "network")]),
        technique("beside", cells=[L5]),
        technique("below", cells=[L4]),
        technique("above", cells=[L6]),
        technique("elsewhere", cells=[("training", "L5", "storage")]),
    )

    place = locate(catalog, "mine")

    assert isinstance(place, TechniquePlace)
    assert place.neighbourhoods == (
        Neighbourhood(Cell(*L5), ("beside",), ("below",), ("above",)),
        Neighbourhood(Cell("inference", "L4", "network"), (), (), ()),
    )


def test_outermost_layers_have_neighbours_on_one_side_only() -> None:
    catalog = catalog_of(
        technique("lowest", cells=[("inference", "L1", "storage")]),
        technique("second", cells=[("inference", "L2", "storage")]),
        technique("highest", cells=[("inference", "L7", "storage")]),
    )

    lowest, highest = locate(catalog, "lowest"), locate(catalog, "highest")

    assert isinstance(lowest, TechniquePlace)
    assert isinstance(highest, TechniquePlace)
    assert lowest.neighbourhoods == (Neighbourhood(Cell("inference", "L1", "storage"), (), (), ("second",)),)
    assert highest.neighbourhoods == (Neighbourhood(Cell("inference", "L7", "storage"), (), (), ()),)


def test_technique_lists_who_names_it_and_every_source_once() -> None:
    mine = technique("mine", shifts=[cost("q", "up")], needs=[need()], relations=[relation("requires", "other")])
    catalog = catalog_of(mine, technique("other", relations=[relation("mitigates", "mine")]))

    place = locate(catalog, "MINE")

    assert isinstance(place, TechniquePlace)
    assert place.asked == "MINE"
    assert place.named_by == (RelationOf(catalog.technique("other").id, catalog.technique("other").relations[0]),)
    assert [(source.title, source.where) for source in place.sources] == [("The book", ""), ("The book", "requires")]


def test_removed_technique_leads_to_its_replacement() -> None:
    gone = technique("gone", tombstone={"reason": said("superseded"), "replacement": "here"})
    catalog = catalog_of(gone, technique("here"))

    place = locate(catalog, "gone")

    assert isinstance(place, TechniquePlace)
    assert place.replacement == catalog.technique("here")


def test_contrast_stated_by_either_side_is_shown_as_a_comparison() -> None:
    catalog = catalog_of(
        technique("pcp", shifts=[gain("ttft", "down"), cost("devices", "up")], adds_devices=True),
        technique(
            "dcp",
            shifts=[gain("tokens", "up")],
            adds_devices=False,
            relations=[relation("contrasts", "pcp"), relation("requires", "pcp")],
        ),
    )

    place = locate(catalog, "pcp")

    assert isinstance(place, TechniquePlace)
    (contrast,) = place.contrasts
    assert (contrast.left.technique, contrast.right.technique) == ("pcp", "dcp")
    assert (contrast.left.adds_devices, contrast.right.adds_devices) == (True, False)
    assert [shift.quantity for shift in contrast.left.costs] == ["devices"]
    assert [shift.quantity for shift in contrast.right.gains] == ["tokens"]
    assert [one.kind for one in contrast.relations] == ["contrasts", "requires"]
    assert contrast.shared_cells == (Cell(*L5),)
    assert [source.where for source in contrast.sources] == ["contrasts", "requires"]


def test_symptom_judges_the_layers_it_speaks_of() -> None:
    place = locate(symptoms(), "decode slow")

    assert isinstance(place, SymptomPlace)
    assert judged(place) == {"L5": "likely", "L4": "possible", "L7": "unlikely"}
    assert place.suspects == ("L5", "L4")
    assert place.cleared == ("L7",)
    assert place.not_judged == ("L1", "L2", "L3", "L6")
    assert [source.title for source in place.layers[0].reasons[0].sources] == ["The book"]


def test_combination_overrules_the_symptoms_it_is_made_of() -> None:
    place = locate_symptom(symptoms(), "decode slow, memory tight")

    assert place.combination == symptoms().symptoms["both"]
    assert judged(place) == {"L4": "likely", "L5": "likely", "L1": "cannot", "L7": "cannot"}
    assert [reason.symptom for reason in place.layers[0].reasons] == ["both"]
    assert place.measure == ("preemptions", "itl_s", "kv")


def test_layer_is_judged_by_the_weakest_vote() -> None:
    place = locate_symptom(symptoms(), "decode slow, memory tight, each layer fine")

    layer = next(one for one in place.layers if one.layer == "L5")

    assert layer.judgement is Judgement.CANNOT
    assert [(reason.symptom, reason.judgement.value) for reason in layer.reasons] == [
        ("each-layer-fine", "cannot"),
        ("decode-slow", "likely"),
        ("memory-tight", "likely"),
    ]


def test_text_that_is_partly_understood_says_which_part_is_not() -> None:
    assert locate_symptom(symptoms(), "decode slow, it smells").not_understood == ("it smells",)


def test_technique_goes_before_a_symptom_of_the_same_name() -> None:
    catalog = catalog_of(technique("decode-slow"), symptom("slow", en=["decode slow"], L5="likely"))

    assert isinstance(locate(catalog, "decode slow"), TechniquePlace)


def test_ambiguous_technique_name_is_not_taken_for_a_symptom() -> None:
    catalog = catalog_of(
        technique("a", aliases={"en": ["slow"]}),
        technique("b", aliases={"en": ["slow"]}),
        symptom("slow", en=["slow"], L5="likely"),
    )

    with pytest.raises(NotFound) as caught:
        locate(catalog, "slow")

    assert caught.value.suggestions == ("a", "b")


def test_neither_technique_nor_symptom_suggests_both() -> None:
    catalog = catalog_of(technique("decode-flow"), symptom("s1", en=["decode slow"], L5="likely"))

    with pytest.raises(NotFound) as caught:
        locate(catalog, "decode slw")

    assert caught.value.suggestions == ("decode-flow", "decode slow")
    assert str(caught.value).endswith("; symptoms understood: s1")


def test_unknown_symptom_says_what_is_understood() -> None:
    with pytest.raises(NotFound) as caught:
        locate_symptom(symptoms(), "xyzzy")

    assert str(caught.value) == (
        "no symptom is called 'xyzzy'; symptoms understood: decode-slow, each-layer-fine, memory-tight"
    )


def test_text_longer_than_any_question_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="a name is over the limit of 1,000, found 2,000"):
        locate(symptoms(), "decode slow " * 166 + "decode s")
    with pytest.raises(LimitExceeded, match="a symptom is over the limit of 1,000, found 1,001"):
        locate_symptom(symptoms(), "慢" * 1001)
