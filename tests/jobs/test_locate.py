import pytest

from knockon.catalog.locate import SymptomPlace, TechniquePlace
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.locate import locate
from knockon.terms.errors import NotFound
from knockon.terms.words import Effect


def judged(knowledge: Knowledge, said: str) -> tuple[SymptomPlace, dict[str, str]]:
    place = locate(knowledge, said).place
    assert isinstance(place, SymptomPlace)
    return place, {layer.layer: layer.judgement.value for layer in place.layers}


@pytest.mark.parametrize(
    "said",
    ["decode slow, memory tight", "解码慢, 显存紧张", "解码很慢，显存紧张", "Memory is tight and decode is slow"],
)
def test_slow_decode_with_tight_memory_is_engine_or_model_and_not_the_application(
    shipped: Knowledge, said: str
) -> None:
    place, layers = judged(shipped, said)

    assert {symptom.id for symptom in place.symptoms} == {"decode-slow", "memory-tight"}
    assert layers == {
        "L4": "likely",
        "L5": "likely",
        "L1": "possible",
        "L2": "unlikely",
        "L6": "unlikely",
        "L7": "unlikely",
    }
    assert place.suspects == ("L4", "L5", "L1")
    business = place.layers[-1]
    assert business.layer == "L7"
    assert business.reasons[0].says.en.startswith("Almost certainly not: ")
    assert business.reasons[0].says.zh.startswith("几乎不可能")
    assert business.reasons[0].sources[0].citation.kind == "experience"


@pytest.mark.parametrize(
    "said",
    [
        "end-to-end slow while each layer is fine",
        "end to end is slow but every layer is fine",
        "端到端慢，但每一层都正常",
    ],
)
def test_slow_end_to_end_while_each_layer_is_fine_is_scheduling(shipped: Knowledge, said: str) -> None:
    place, layers = judged(shipped, said)

    assert [layer for layer, judgement in layers.items() if judgement == "likely"] == ["L6"]
    assert place.not_judged == ()
    assert place.measure[:2] == ("layers_measured_fine", "queue_time_s_p95")


def test_idle_compute_with_tight_memory_does_not_point_at_operators(shipped: Knowledge) -> None:
    _place, layers = judged(shipped, "GPU 利用率低，显存快满")

    assert (layers["L5"], layers["L4"], layers["L2"]) == ("likely", "likely", "unlikely")


def test_every_way_to_say_a_symptom_is_recognised_as_it(shipped: Knowledge) -> None:
    catalog = shipped.catalog
    sayings = [
        (symptom.id, alias)
        for symptom in catalog.symptoms.values()
        for group in symptom.aliases.values()
        for alias in group
    ]

    wrong = []
    for key, alias in sayings:
        place = locate(shipped, alias).place
        if not isinstance(place, SymptomPlace) or [one.id for one in place.symptoms] != [key] or place.not_understood:
            wrong.append((key, alias))

    assert wrong == []
    assert len(sayings) > 300


def test_every_combination_is_reached_by_the_names_of_its_parts(shipped: Knowledge) -> None:
    symptoms = shipped.catalog.symptoms
    combinations = [symptom for symptom in symptoms.values() if symptom.of]

    for language in ("en", "zh"):
        for combination in combinations:
            said = ", ".join(symptoms[part].aliases[language][0] for part in combination.of)
            place = locate(shipped, said).place
            assert isinstance(place, SymptomPlace)
            assert place.combination == combination
    assert len(combinations) >= 8
    assert len(symptoms) - len(combinations) >= 15


def test_symptoms_measure_readings_that_the_vocabulary_has(shipped: Knowledge) -> None:
    named = {reading for symptom in shipped.catalog.symptoms.values() for reading in symptom.measure}

    assert named <= shipped.rulebook.readings.keys()


def test_technique_is_placed_with_its_comparison_from_the_data(shipped: Knowledge) -> None:
    place = locate(shipped, "dcp").place

    assert isinstance(place, TechniquePlace)
    assert place.technique.id == "decode-context-parallelism"
    contrast = next(one for one in place.contrasts if one.right.technique == "prefill-context-parallelism")
    assert (contrast.left.adds_devices, contrast.right.adds_devices) == (False, True)
    assert contrast.left.goal == shipped.catalog.technique("DCP").goal
    assert contrast.left.goal.en != contrast.right.goal.en
    assert "kv_cache_tokens" in {shift.quantity for shift in contrast.left.gains}
    assert "devices_needed" in {shift.quantity for shift in contrast.right.costs}
    assert {shift.effect for shift in contrast.right.costs} == {Effect.COST}
    assert {one.kind for one in contrast.relations} == {"contrasts"}
    assert all(source.url for source in contrast.sources)


@pytest.mark.parametrize(
    "name", ["tensor-parallelism", "TP", "张量并行", "--tensor-parallel-size", "Tensor_Parallelism"]
)
def test_technique_is_found_by_its_names_in_both_languages(shipped: Knowledge, name: str) -> None:
    place = locate(shipped, name).place

    assert isinstance(place, TechniquePlace)
    assert place.technique.id == "tensor-parallelism"


def test_misspelt_technique_is_not_found_with_suggestions(shipped: Knowledge) -> None:
    with pytest.raises(NotFound) as caught:
        locate(shipped, "tensor-paralelism")

    assert caught.value.suggestions[0] == "tensor-parallelism"
