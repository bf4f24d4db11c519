from tests.api.asking import asked
from tests.shipped import shipped


def test_rules_are_of_both_kinds_by_id() -> None:
    rules = asked("{ rules { __typename id when examples { expect } sources { title } } }")["rules"]

    rulebook = shipped().rulebook
    assert [(one["__typename"], one["id"]) for one in rules] == [
        *(("CoupleRule", one.id) for one in rulebook.couple),
        *(("DiagnoseRule", one.id) for one in rulebook.diagnose),
    ]
    assert [one["id"] for one in rules if not one["sources"]] == []
    assert {example["expect"] for one in rules for example in one["examples"]} == {"FIRES", "SILENT", "UNKNOWN"}


def test_rules_about_a_technique_are_those_that_speak_of_it() -> None:
    found = asked('{ rules(technique: "DCP") { id ... on CoupleRule { because { id } } } }')["rules"]

    assert [one["id"] for one in found] == [
        one.id for one in shipped().rulebook.couple if "decode-context-parallelism" in one.because
    ]
    assert all({"id": "decode-context-parallelism"} in one["because"] for one in found)


def test_rule_is_found_by_its_id_in_any_case() -> None:
    query = """{
      k: rule(id: "k001") { ...f }
      d: rule(id: "D001") { ...f }
      n: rule(id: "K999") { ... on NotFound { code } }
    }
    fragment f on Rule { id ... on CoupleRule { verdict } ... on DiagnoseRule { wall { id layers } observes } }"""

    found = asked(query)

    assert found["k"] == {"id": "K001", "verdict": "DEGRADED"}
    assert found["d"]["wall"]["id"] == "memory"
    assert len(found["d"]["observes"]) >= 2
    assert found["n"] == {"code": "unknown-rule"}


def test_profile_shows_every_threshold_in_force_and_whose_it_is() -> None:
    query = """query ($name: String!) { profile(name: $name) { ... on Profile {
      base calibrated thresholds { name value profile provenance sources { title } }
    } ... on NotFound { code fix } } }"""

    own = {one["name"]: one for one in asked(query, name="default")["profile"]["thresholds"]}
    other = asked(query, name="h100-vllm-chat")["profile"]
    theirs = {one["name"]: one for one in other["thresholds"]}

    values = {name: one["value"] for name, one in own.items()}
    assert values["memory_occupancy_high"] == 0.90
    assert values["compute_high"] == 0.85
    assert values["compute_low"] == 0.50
    assert values["bandwidth_high"] == 0.70
    assert own["memory_occupancy_high"]["provenance"] == "EXPERIENCE"
    assert other["base"] == "default"
    assert theirs.keys() >= own.keys()
    assert theirs["memory_occupancy_high"]["profile"] == "h100-vllm-chat"
    assert theirs["compute_low"]["profile"] == "default"
    assert asked(query, name="moon")["profile"]["code"] == "unknown-profile"


def test_vocabulary_is_shown_by_kind() -> None:
    query = "query ($kind: NameKind) { vocabulary(kind: $kind) { name kind type unit means { zh } how { where how } } }"

    facts = asked(query, kind="FACT")["vocabulary"]
    everything = asked(query)["vocabulary"]

    assert {one["kind"] for one in facts} == {"FACT"}
    assert {one["type"] for one in facts} == {"INT", "NUMBER", "BOOL", "TEXT", "VERSION"}
    assert {one["kind"] for one in everything} == {"FACT", "READING", "THRESHOLD"}
    assert [one["name"] for one in everything] == sorted(shipped().rulebook.vocabulary.names)


def test_axes_walls_and_symptoms_are_listed() -> None:
    found = asked(
        "{ axes { stages { id } layers { id name { en } } dimensions { id } } walls { id } symptoms { id of } }"
    )

    catalog, rulebook = shipped().catalog, shipped().rulebook
    assert [one["id"] for one in found["axes"]["stages"]] == [
        "data",
        "training",
        "inference",
        "validation",
        "governance",
    ]
    assert [one["id"] for one in found["axes"]["layers"]] == ["L1", "L2", "L3", "L4", "L5", "L6", "L7"]
    assert [one["id"] for one in found["walls"]] == list(rulebook.walls)
    assert [one["id"] for one in found["symptoms"]] == list(catalog.symptoms)
