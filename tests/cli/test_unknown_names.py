"""Flags and models that nothing goes by: the whole answer is given, the slip is told with its place, exit code 2."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Knockon

QWEN = ("vllm", "serve", "Qwen/Qwen3-8B")
SLIP = "--tensor-paralel-size"
NEAR = ["--tensor-parallel-size", "--data-parallel-size", "--pipeline-parallel-size"]
CONFLICT = ("-tp", "16")
SCRIPT = "#!/bin/sh\nexec vllm serve acme/Secret-7B \\\n  --tensor-paralel-size 8\n"


def said(knockon: Knockon, *arguments: str, code: int = 2) -> Any:
    done = knockon("check", "--format", "json", *arguments)
    assert done.code == code, done.err
    return json.loads(done.out)


def test_unknown_flag_is_told_with_place_and_way_out_beside_the_whole_answer(knockon: Knockon) -> None:
    answer = said(knockon, "--", *QWEN, SLIP, "8")

    [problem] = answer["problems"]
    assert problem.pop("fingerprint")
    assert problem == {
        "code": "unknown-flag",
        "name": SLIP,
        "what": f"no flag of vllm is called '{SLIP}'",
        "what_zh": f"vllm 没有名为 '{SLIP}' 的参数",
        "expected": f"a flag of vllm, such as {' or '.join(NEAR)}",
        "expected_zh": f"vllm 的参数，例如 {' 或 '.join(NEAR)}",
        "fix": "correct it, or remove it",
        "fix_zh": "请更正或删除",
        "suggestions": NEAR,
        "at": {"path": "<command>", "line": 1, "column": 26},
        "accepted": None,
    }
    assert answer["verdict"] == "unknown"
    assert {fact["name"]: fact["value"] for fact in answer["facts"]}["num_key_value_heads"] == 8


def test_log_beside_the_json_says_why_it_ended_with_2(knockon: Knockon) -> None:
    done = knockon("check", "--format", "json", "--", *QWEN, SLIP, "8")

    assert f"no flag of vllm is called '{SLIP}'" in done.err


@pytest.mark.parametrize(("language", "words"), [("en", "Bad input (exit code 2)"), ("zh", "输入有误（退出码 2）")])
def test_page_says_it_before_anything_else(knockon: Knockon, language: str, words: str) -> None:
    done = knockon("check", "--lang", language, "--", *QWEN, SLIP, "8", COLUMNS="200")

    assert done.code == 2
    assert done.out.splitlines()[2] == words
    assert SLIP in done.out.splitlines()[3]


def test_unknown_flag_wins_over_a_conflict_and_the_conflict_is_told(knockon: Knockon) -> None:
    answer = said(knockon, "--gpus", "8", "--", *QWEN, *CONFLICT, SLIP, "8")

    assert answer["verdict"] == "conflict"
    assert [one["name"] for one in answer["problems"]] == [SLIP]


def test_unknown_flag_that_the_named_release_refuses_is_both(knockon: Knockon) -> None:
    answer = said(knockon, "--engine-version", "0.33.0", "--", *QWEN, SLIP, "8")

    assert answer["verdict"] == "conflict"
    assert [one["flag"] for one in answer["refused"]] == [one["name"] for one in answer["problems"]] == [SLIP]
    assert answer["problems"][0]["fingerprint"] == answer["refused"][0]["fingerprint"]


def test_allowed_unknown_names_leave_the_exit_code_to_the_verdict(knockon: Knockon) -> None:
    free = said(knockon, "--allow-unknown", "--", "vllm", "serve", "acme/Secret-7B", SLIP, "8", code=0)
    named = said(knockon, "--allow-unknown", "--engine-version", "0.33.0", "--", *QWEN, SLIP, "8", code=0)
    against = said(knockon, "--allow-unknown", "--gpus", "8", "--", *QWEN, *CONFLICT, SLIP, "8", code=1)
    option = said(knockon, "--allow-unknown", "--model", "acme/Secret-7B", "--", *QWEN, code=0)

    assert [(one["verdict"], one["problems"], one["refused"]) for one in (free, named)] == [("unknown", [], [])] * 2
    assert (against["verdict"], option["verdict"]) == ("conflict", "unknown")
    assert [one["flag"] for one in free["unknown_flags"]] == [SLIP]
    assert any(SLIP in note["en"] for note in free["notes"])
    assert any("acme/Secret-7B" in note["en"] for note in option["notes"])


def test_unknown_model_of_a_hub_is_told_with_the_nearest(knockon: Knockon) -> None:
    [problem] = said(knockon, "--", "vllm", "serve", "Qwen/Qwen3-235B-A23B")["problems"]

    assert (problem["code"], problem["suggestions"][0]) == ("unknown-model", "Qwen/Qwen3-235B-A22B")
    assert problem["at"] == {"path": "<command>", "line": 1, "column": 12}
    page = knockon("check", "--", "vllm", "serve", "Qwen/Qwen3-235B-A23B", COLUMNS="300")
    assert (page.code, "knockon catalog list models" in " ".join(page.out.split())) == (2, True)


@pytest.mark.parametrize(
    "model",
    ["/models/Secret-7B", "./Secret-7B", "models/Secret-7B", "a/b/c", "s3://bucket/x", "$MODEL", "{{ .Values.model }}",
     "org/model", "my-model", "weights.gguf", "~/m"],
)  # fmt: skip
def test_path_or_placeholder_that_cannot_be_read_is_no_bad_input(knockon: Knockon, model: str) -> None:
    answer = said(knockon, "--", "vllm", "serve", model, code=0)

    assert (answer["verdict"], answer["problems"]) == ("unknown", [])


@pytest.fixture
def script() -> Path:
    path = Path("deploy") / "run.sh"
    path.parent.mkdir()
    path.write_text(SCRIPT)
    return path


def rows(knockon: Knockon, name: str) -> str:
    done = knockon("check", "--format", name, "deploy")
    assert done.code == 2
    return done.out


def test_code_scanning_shows_both_as_errors_with_their_places(knockon: Knockon, script: Path) -> None:
    [run] = json.loads(rows(knockon, "sarif"))["runs"]

    found = [(one["ruleId"], one["level"], one["locations"][0]["physicalLocation"]["region"]) for one in run["results"]]
    assert found == [
        ("unknown-flag", "error", {"startLine": 3, "startColumn": 3, "endColumn": 24}),
        ("unknown-model", "error", {"startLine": 2, "startColumn": 17, "endColumn": 31}),
    ]
    assert run["invocations"][0]["executionSuccessful"] is True


def test_every_other_format_for_machines_shows_them_as_errors(knockon: Knockon, script: Path) -> None:
    github = rows(knockon, "github").splitlines()
    assert [line.split("::")[1].split(",title")[0] for line in github[:2]] == [
        f"error file={script},line=3,col=3,endColumn=24",
        f"error file={script},line=2,col=17,endColumn=31",
    ]
    gitlab = json.loads(rows(knockon, "gitlab"))
    assert [(one["check_name"], one["severity"], one["location"]["lines"]["begin"]) for one in gitlab] == [
        ("unknown-flag", "critical", 3),
        ("unknown-model", "critical", 2),
    ]
    [suite] = ElementTree.fromstring(rows(knockon, "junit"))
    assert (suite.get("errors"), suite.get("skipped")) == ("1", "0")
    assert [error.get("type") for error in suite.iter("error")] == ["bad-input", "bad-input"]


def test_waived_name_does_not_count(knockon: Knockon, script: Path) -> None:
    entry = '  - {{rule: {}, path: "**", reason: ours, expires: "2999-01-31"}}\n'
    Path("knockon.waivers.yaml").write_text(
        "waivers:\n" + "".join(map(entry.format, ("unknown-flag", "unknown-model")))
    )

    done = knockon("check", "--format", "json", str(script))

    assert done.code == 0
    assert [one["accepted"]["kind"] for one in json.loads(done.out)["problems"]] == ["waived", "waived"]


def test_refused_value_is_no_fact_and_keeps_a_fix_from_being_the_whole_way_out(knockon: Knockon) -> None:
    answer = said(knockon, "--", "vllm", "serve", "Qwen/Qwen3-235B-A22B", "-tp", "8", "--kv-cache-dtype", "foo", code=1)

    assert [one["flag"] for one in answer["refused"]] == ["--kv-cache-dtype"]
    assert "kv_cache_dtype" not in {fact["name"] for fact in answer["facts"]}
    fixes = [fix["verdict"] for finding in answer["findings"] for fix in finding["fixes"] if fix["set"]]
    assert fixes
    assert set(fixes) == {"conflict"}
    assert answer["nearest"] == []


@pytest.mark.parametrize(
    ("kind", "word", "key", "name"),
    [
        ("models", "qwen3-235b", "name", "Qwen/Qwen3-235B-A22B"),
        ("gpus", "H200", "id", "h200"),
        ("techniques", "张量并行", "id", "tensor-parallelism"),
        ("quantities", "kv_cache_tok", "id", "kv_cache_tokens"),
        ("facts", "tensor parallel s", "name", "tensor_parallel_size"),
        ("readings", "kv cache blocks in use", "name", "kv_cache_usage_ratio"),
        ("readings", "hit prefix share", "name", "prefix_cache_hit_ratio"),
        ("readings", "通信 占比", "name", "communication_share_ratio"),
    ],
)
def test_catalog_lists_what_options_take(knockon: Knockon, kind: str, word: str, key: str, name: str) -> None:
    every = json.loads(knockon("catalog", "list", kind, "--format", "json").out)[kind]
    some = json.loads(knockon("catalog", "list", kind, word, "--format", "json").out)[kind]

    assert name in [one[key] for one in some]
    assert 0 < len(some) < len(every)
    assert name in knockon("catalog", "list", kind, word, COLUMNS="200").out


@pytest.mark.parametrize(
    ("arguments", "listed"),
    [
        (("check", "--set", "zzz=1"), "`knockon catalog list facts` lists every fact"),
        (("diagnose", "--set", "zzz=1"), "`knockon catalog list readings` lists every reading"),
        (("diagnose", "one.yaml"), "`knockon catalog list readings` lists every reading"),
        (("diagnose", "all.yaml"), "`knockon catalog list readings` lists every reading"),
        (("diagnose", "facts.yaml"), "`knockon catalog list facts` lists every fact"),
    ],
)
def test_an_unknown_name_is_answered_with_the_command_that_lists(
    knockon: Knockon, arguments: tuple[str, ...], listed: str
) -> None:
    Path("one.yaml").write_text("zzz_zzz_zzz: 3\n")
    Path("all.yaml").write_text("readings: {zzz_zzz_zzz: 3}\n")
    Path("facts.yaml").write_text("readings: {ttft_s_p95: 3}\nfacts: {zzz_zzz_zzz: 3}\n")

    done = knockon(*arguments)

    assert done.code == 2
    assert listed in done.err
    assert ".yaml lists" not in done.err


def test_catalog_lists_nothing_of_a_name_that_nothing_has(knockon: Knockon) -> None:
    done = knockon("catalog", "list", "models", "zqx")

    assert (done.code, done.out) == (0, "nothing of that name\n")


def test_scrape_of_which_nothing_is_known_is_refused_with_the_nearest(knockon: Knockon) -> None:
    Path("scrape.txt").write_text("python_info 1\nvlm:num_requests_waiting 4\n")

    done = knockon("diagnose", "scrape.txt")

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(
        "scrape.txt:1:1: none of the 2 samples (vlm:num_requests_waiting, python_info …) is known"
    )
    assert "vLLM" in done.err
    assert "did you mean 'vllm:num_requests_waiting'?" in done.err


def test_unknown_key_of_a_readings_file_is_refused_with_its_place(knockon: Knockon) -> None:
    Path("r.yaml").write_text("readings:\n  kv_cache_usage: 0.9\n")

    done = knockon("diagnose", "r.yaml")

    assert done.code == 2
    assert done.err.startswith(
        "r.yaml:2:3: no reading is called 'kv_cache_usage'; did you mean 'kv_cache_usage_ratio' or "
    )


@pytest.mark.parametrize(
    ("name", "text", "at"),
    [
        ("one line", "# x\ncommand: {} --zqx 1\ngpu: H200\n", (2, 35)),
        ("quoted", 'command: "{} --zqx 1"\n', (1, 36)),
        ("lines as they are", "command: |\n  {} \\\n    --zqx 1\n", (3, 5)),
        ("folded lines, of which only the key is told", "command: >\n  {}\n  --zqx 1\n", (1, 1)),
        ("JSON", '{{"gpus": 8,\n "command": "{} --zqx 1"}}\n', (2, 39)),
    ],
)
def test_place_in_a_file_of_facts_is_one_of_the_file(
    knockon: Knockon, name: str, text: str, at: tuple[int, int]
) -> None:
    path = Path("facts.json" if name == "JSON" else "facts.yaml")
    path.write_text(text.format(" ".join(QWEN)))

    [problem] = said(knockon, str(path))["problems"]

    assert (problem["at"]["line"], problem["at"]["column"]) == at


def test_unknown_names_of_a_flat_file_are_listed_beside_the_answer(knockon: Knockon) -> None:
    Path("r.yaml").write_text("kv usage: 97 %\ngpu_utl: 30 %\nttft: 2 s\n")

    answer = json.loads(knockon("diagnose", "r.yaml", "-f", "json").out)
    page = knockon("diagnose", "r.yaml").out

    assert [(one["reading"], one["value"], one["from"]) for one in answer["invalid"]] == [
        ("gpu_utl", "30 %", "r.yaml:2:1"),
        ("ttft", "2 s", "r.yaml:3:1"),
    ]
    assert "did you mean 'gpu_busy_ratio'" in answer["invalid"][0]["why"]
    assert "may be ttft_s_p50, ttft_s_p95 or ttft_s_p99" in answer["invalid"][1]["why"]
    assert "kv_cache_usage_ratio" in [one["reading"] for one in answer["readings"]]
    assert "Readings that are not used" in page


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check --nope", "No such option: --nope │"),
        ("check --modle x", "No such option: --modle (Possible options: --model)"),
        ("chek", "No such command 'chek'. Did you mean 'check'? │"),
        ("catalog lst", "No such command 'lst'. Did you mean 'list'? │"),
    ],
)
def test_wrong_option_or_verb_is_answered_with_what_passes_the_bar(knockon: Knockon, line: str, said: str) -> None:
    done = knockon(*line.split())

    assert done.code == 2
    assert said in " ".join(done.err.split())
