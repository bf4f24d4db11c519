"""Which techniques a deployment uses: walked, generated and kept say the same."""

from knockon.backends.python.walk import judge_one
from knockon.engines import ENGINES, defaults_of
from knockon.jobs.detection import Detection
from knockon.terms.fact import values_of
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar
from tests.shipped import shipped


def deployments() -> list[dict[str, Scalar]]:
    """Nothing known, every engine's defaults, and each name of the vocabulary turned on over them."""
    told = [values_of(defaults_of(engine)) for engine in ENGINES]
    switches = [name for name, info in shipped().rulebook.vocabulary.names.items() if info.type == "bool"]
    return [{}, *told, *({**values, **dict.fromkeys(switches, True)} for values in told)]


def test_walked_generated_and_kept_tell_the_same_techniques() -> None:
    knowledge = shipped()
    walked = Detection(knowledge.catalog, knowledge.rulebook.vocabulary)
    kept = walked.thawed(walked.frozen())

    found = [[one.id for one in walked(values)] for values in deployments()]

    assert [[one.id for one in knowledge.detection(values)] for values in deployments()] == found
    assert [[one.id for one in kept(values)] for values in deployments()] == found
    assert any(found)


def test_a_technique_is_told_where_its_condition_holds() -> None:
    knowledge = shipped()
    values = deployments()[-1]
    detect = {id_: knowledge.catalog.techniques[id_].detect for id_ in knowledge.catalog.may_detect}

    wanted = [
        id_
        for id_, node in detect.items()
        if node is not None and judge_one(node, values, vocabulary=knowledge.rulebook.vocabulary) is Truth.TRUE
    ]

    assert [one.id for one in knowledge.detection(values)] == wanted
