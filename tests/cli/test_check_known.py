"""check on many files: what a team knows already, by baseline and waiver."""

import json

from tests.cli.conftest import Knockon
from tests.cli.launches import answers, put, put_deployment, sarif


def test_baseline_lets_known_findings_pass_and_new_ones_fail(knockon: Knockon) -> None:
    put_deployment("a/one.yaml", name="one", dcp=4)

    first = knockon("check", "a", "--write-baseline", "base.json")
    again = knockon("check", "a", "--baseline", "base.json", "--format", "json")
    put_deployment("a/two.yaml", name="two", dcp=4)
    more = knockon("check", "a", "--baseline", "base.json", "--format", "json")

    assert (first.code, again.code, more.code) == (0, 0, 1)
    assert json.loads(again.out)["summary"]["findings"] == {"counted": 0, "known": 1, "waived": 0}
    (known,) = [one for one in answers(again)[0]["findings"] if one["rule"] == "K004"]
    assert known["accepted"] == {"kind": "known"}
    states = {one["launch"]["name"]: {f["rule"]: f["accepted"] for f in one["findings"]} for one in answers(more)}
    assert (states["one"]["K004"], states["two"]["K004"]) == ({"kind": "known"}, None)


WAIVER = """\
waivers:
  - rule: K004
    path: deploy/*.yaml
    launch: Deployment/qwen
    setting: decode_context_parallel_size=4
    reason: The new image comes in spring.
    expires: {expires}
"""


def test_waiver_lets_its_finding_pass_with_reason_and_last_day(knockon: Knockon) -> None:
    put("knockon.waivers.yaml", WAIVER.format(expires="2999-12-31"))
    put_deployment("deploy/one.yaml", dcp=4)

    done = knockon("check", "deploy", "--format", "sarif")

    assert done.code == 0
    (result,) = [one for one in sarif(done)["results"] if one["ruleId"] == "K004"]
    (suppression,) = result["suppressions"]
    assert suppression["properties"] == {
        "reason": "The new image comes in spring.", "expires": "2999-12-31", "at": "knockon.waivers.yaml:2:5",
    }  # fmt: skip
    for name, said in {"junit": "waived until 2999-12-31: The new image", "github": "(waived until 2999-12-31: ",
                       "gitlab": "(waived until 2999-12-31: ", "markdown": "waived until 2999-12-31: ",
                       "table": "waived"}.items():  # fmt: skip
        other = knockon("check", "deploy", "--format", name, COLUMNS="200")
        assert (other.code, said in other.out) == (0, True), name


def test_waiver_that_is_over_counts_again_and_is_told(knockon: Knockon) -> None:
    put("deploy/knockon.waivers.yaml", WAIVER.format(expires="2020-01-31").replace("deploy/*", "one"))
    put_deployment("deploy/one.yaml", dcp=4)

    done = knockon("check", "deploy/one.yaml", "--format", "sarif")

    assert done.code == 1
    found = {one["ruleId"]: one for one in sarif(done)["results"]}
    assert "suppressions" not in found["K004"]
    told = found["waiver-expired"]
    assert told["level"] == "note"
    assert told["message"]["text"].startswith("The waiver of K004 ended on 2020-01-31; what it covered counts again.")
    place = told["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("deploy/knockon.waivers.yaml", 2)


def test_waiver_that_nothing_needs_is_told_where_its_files_were_checked(knockon: Knockon) -> None:
    put("knockon.waivers.yaml", WAIVER.format(expires="2999-12-31"))
    put_deployment("deploy/one.yaml", tp=4)
    put_deployment("other/one.yaml", tp=4)

    def told(*arguments: str) -> list[str]:
        results = sarif(knockon("check", *arguments, "--format", "sarif"))["results"]
        return [one["ruleId"] for one in results if one["ruleId"].startswith("waiver")]

    assert (told("deploy"), told("other"), told(".")) == (["waiver-unused"], [], ["waiver-unused"])


def test_waiver_file_that_does_not_hold_is_refused(knockon: Knockon) -> None:
    put("mine.yaml", "waivers:\n  - {rule: K004, path: '**', expires: 2999-12-31}\n")
    put_deployment("one.yaml", dcp=4)

    done = knockon("check", "one.yaml", "--waivers", "mine.yaml")

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("mine.yaml:2:5: the waiver has no reason; ")


def test_single_answer_shows_that_a_finding_is_known(knockon: Knockon) -> None:
    put_deployment("one.yaml", dcp=4)
    knockon("check", "one.yaml", "--write-baseline", "base.json")

    page = knockon("check", "one.yaml", "--baseline", "base.json", COLUMNS="200")
    data = knockon("check", "one.yaml", "--baseline", "base.json", "--format", "json")

    assert (page.code, data.code) == (0, 0)
    assert "known: in the baseline" in page.out
    (finding,) = [one for one in json.loads(data.out)["findings"] if one["rule"] == "K004"]
    assert finding["accepted"] == {"kind": "known"}
    assert len(finding["fingerprint"]) == 32
