"""`knockon check` over files and folders: an answer for each launch, what is known and waived, formats for CI."""

import io
import json
import os
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from knockon.cli.progress import tracked
from tests.cli.conftest import Knockon
from tests.cli.launches import BROKEN, answers, put, put_deployment, sarif


def test_every_launch_of_a_folder_gets_its_own_answer_with_its_place(knockon: Knockon) -> None:
    put_deployment("deploy/one.yaml", name="one", tp=8)
    put(
        "deploy/sub/run.sh", "#!/bin/sh\nvllm serve Qwen/Qwen3-235B-A22B -tp 4\nvllm serve Qwen/Qwen3-235B-A22B -tp 8\n"
    )
    put("deploy/README.md", "vllm serve Qwen/Qwen3-235B-A22B -tp 8\n")
    put("deploy/other.yaml", "some: thing\n")
    put("deploy/.hidden/run.sh", "vllm serve Qwen/Qwen3-235B-A22B -tp 8\n")

    done = knockon("check", "deploy", "--format", "json", "--fail-on", "degraded")

    assert (done.code, done.err) == (1, "")
    assert [(one["file"], one["launch"]["kind"], one["line"], one["verdict"]) for one in answers(done)] == [
        ("deploy/one.yaml", "Deployment", 10, "degraded"),
        ("deploy/sub/run.sh", "shell", 2, "fine"),
        ("deploy/sub/run.sh", "shell", 3, "degraded"),
    ]
    places = [finding["at"] for one in answers(done) for finding in one["findings"] if finding["rule"] == "K001"]
    assert places == [
        {"path": "deploy/one.yaml", "line": 14, "column": 15},
        {"path": "deploy/sub/run.sh", "line": 3, "column": 33},
    ]
    assert json.loads(done.out)["summary"] == {
        "files": 2,
        "launches": 3,
        "verdicts": {"degraded": 2, "fine": 1},
        "findings": {"counted": 2, "known": 0, "waived": 0},
    }


def test_manifest_says_how_many_gpus_there_are_which_and_the_release(knockon: Knockon) -> None:
    put_deployment("one.yaml", tp=4)

    done = knockon("check", "one.yaml", "--format", "json")

    facts = {fact["name"]: (fact["value"], fact["from"]) for fact in json.loads(done.out)["facts"]}
    assert facts["gpu_count"] == (8, "GPUs of Deployment qwen")
    assert facts["gpu_name"][1].startswith("datasheet of ")
    assert facts["engine_version"][0] == "0.33.0"


def test_file_that_cannot_be_read_is_told_with_its_place_and_the_rest_goes_on(knockon: Knockon) -> None:
    put("a/broken.yaml", BROKEN)
    put_deployment("a/good.yaml", tp=4)

    done = knockon("check", "a", "--format", "json")

    assert done.code == 2
    assert done.err.startswith("a/broken.yaml:5:1: ")
    unread, good = answers(done)
    assert [(row["rule"], row["at"]["line"]) for row in unread["unread"]] == [("unreadable", 5)]
    assert (unread["verdict"], good["verdict"]) == ("unknown", "fine")


def test_page_of_many_shows_what_counts_and_the_summary(knockon: Knockon) -> None:
    put("a/broken.yaml", BROKEN)
    put_deployment("a/bad.yaml", tp=8, dcp=4)
    put_deployment("a/good.yaml", tp=4)

    done = knockon("check", "a", COLUMNS="120")

    assert done.code == 2
    assert "a/bad.yaml:10 Deployment/qwen — conflict" in done.out
    assert "conflict K004 " in done.out
    assert "error" not in done.err
    tail = done.out[done.out.index("Summary") :].split()
    assert [word for word in tail if word.isdigit()][:3] == ["1", "1", "1"]


def test_folder_without_a_launch_is_refused(knockon: Knockon) -> None:
    put("a/values.yaml", "some: thing\n")

    done = knockon("check", "a")

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("a:1:1: nothing in it starts an engine known here; expected a shell script")


def test_engine_that_nobody_knows_is_no_fault_of_the_file(knockon: Knockon) -> None:
    text = "services:\n  a:\n    image: nvcr.io/nvidia/ai-dynamo:1\n    command: python -m dynamo.vllm --model m\n"
    put("a/compose.yaml", text)
    put_deployment("a/good.yaml", tp=4)

    done = knockon("check", "a", "--format", "json")

    assert (done.code, done.err) == (0, "")
    assert [row["rule"] for row in answers(done)[0]["unread"]] == ["unknown-engine"]


def test_files_named_together_may_refer_to_each_other(knockon: Knockon) -> None:
    put("compose.yaml", "services:\n  a:\n    image: vllm/vllm-openai:v0.33.0\n    env_file: serving.env\n"
        "    command: --model Qwen/Qwen3-235B-A22B -tp 4\n")  # fmt: skip
    put("serving.env", "VLLM_USE_V1=1\n")

    done = knockon("check", "compose.yaml", "serving.env", "--format", "json")

    assert (done.code, done.err) == (0, "")
    assert [one["file"] for one in answers(done)] == ["compose.yaml"]


def test_flag_whose_value_is_not_known_has_no_default(knockon: Knockon) -> None:
    put("run.sh", '#!/bin/sh\nvllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size "$TP"\n')

    done = knockon("check", "run.sh", "--format", "json")

    facts = {fact["name"] for fact in json.loads(done.out)["facts"]}
    assert "tensor_parallel_size" not in facts
    assert "pipeline_parallel_size" in facts


def test_moved_and_reworded_launch_keeps_its_fingerprints(knockon: Knockon) -> None:
    put_deployment("a/one.yaml", tp=8, dcp=4)
    before = sarif(knockon("check", "a", "--format", "sarif"))

    text = Path("a/one.yaml").read_text(encoding="utf-8")
    model = "            - --model=Qwen/Qwen3-235B-A22B\n"
    *head, limits = text.replace(model, "").splitlines(keepends=True)
    put("a/one.yaml", "# moved\n\n" + "".join([*head, model, limits]))
    after = sarif(knockon("check", "a", "--format", "sarif"))

    def marks(run: dict[str, Any]) -> list[tuple[str, str]]:
        return [(one["ruleId"], one["partialFingerprints"]["knockon/v1"]) for one in run["results"]]

    assert marks(before) == marks(after) != []
    lines_of = [one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in before["results"]]
    assert lines_of != [one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in after["results"]]
    assert len(set(marks(before))) == len(marks(before))


@pytest.mark.parametrize("change", [{"name": "other"}, {"dcp": 8}], ids=["the name", "a setting"])
def test_other_launch_or_setting_has_another_fingerprint(knockon: Knockon, change: dict[str, Any]) -> None:
    def mark(**said: Any) -> str:
        put_deployment("one.yaml", **said)
        results = sarif(knockon("check", "one.yaml", "--format", "sarif"))["results"]
        return next(one["partialFingerprints"]["knockon/v1"] for one in results if one["ruleId"] == "K004")

    assert mark(tp=8, dcp=4) != mark(**{"tp": 8, "dcp": 4, **change})


@pytest.mark.parametrize("name", ["sarif", "junit", "github", "gitlab"])
def test_ci_formats_hold_what_cannot_be_read_even_alone(knockon: Knockon, name: str) -> None:
    put("broken.yaml", BROKEN)

    done = knockon("check", "broken.yaml", "--format", name)

    assert (done.code, done.err) == (2, "")
    assert "unreadable" in done.out


def test_junit_has_a_case_for_every_launch(knockon: Knockon) -> None:
    put_deployment("a/bad.yaml", dcp=4)
    put_deployment("a/good.yaml", tp=4)

    root = ElementTree.fromstring(knockon("check", "a", "--format", "junit").out)

    assert {suite.attrib["name"]: suite.attrib["failures"] for suite in root} == {"a/bad.yaml": "1", "a/good.yaml": "0"}
    assert [case.attrib["name"] for case in root.iter("testcase")] == ["Deployment/qwen", "Deployment/qwen"]


def test_command_line_has_no_file(knockon: Knockon) -> None:
    done = knockon("check", "--format", "sarif", "--", "vllm", "serve", "Qwen/Qwen3-235B-A22B", "-tp", "8", "-dcp", "4")

    (result,) = [one for one in sarif(done)["results"] if one["ruleId"] == "K004"]
    assert (done.code, result["locations"]) == (1, [])


def test_column_ends_behind_the_word(knockon: Knockon) -> None:
    put("run.sh", "vllm serve Qwen/Qwen3-235B-A22B -tp 8 --decode-context-parallel-size 4 # four\n")

    results = sarif(knockon("check", "run.sh", "--format", "sarif"))["results"]

    (region,) = [one["locations"][0]["physicalLocation"]["region"] for one in results if one["ruleId"] == "K004"]
    assert region == {"startLine": 1, "startColumn": 39, "endColumn": 69}


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_bar_is_drawn_on_a_terminal_only_and_is_gone_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(1, 1_000))
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    terminal, pipe = Terminal(), io.StringIO()

    assert list(tracked(range(20), count=20, stream=terminal)) == list(tracked(range(20), count=20, stream=pipe))

    drawn = terminal.getvalue()
    assert drawn.count("\r") == 21
    assert "10/20" in drawn
    assert drawn.endswith("\r\033[K")
    assert pipe.getvalue() == ""


def test_bar_is_not_drawn_for_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()

    assert list(tracked([1, 2], count=2, stream=terminal)) == [1, 2]
    assert terminal.getvalue() == ""


def test_list_written_piece_by_piece_is_the_list(knockon: Knockon) -> None:
    for number in range(3):
        put_deployment(f"a/{number}.yaml", tp=4)

    done = knockon("check", "a", "--format", "json")

    assert done.out == json.dumps(json.loads(done.out), indent=2, ensure_ascii=False) + "\n"


def test_links_out_of_the_folder_are_not_followed(knockon: Knockon) -> None:
    put_deployment("outside/bad.yaml", dcp=4)
    put_deployment("a/good.yaml", tp=4)
    Path("a/link").symlink_to(Path("outside").resolve(), target_is_directory=True)

    assert [one["file"] for one in answers(knockon("check", "a", "--format", "json"))] == ["a/good.yaml"]


def test_file_of_a_folder_that_is_no_text_is_told_where_it_speaks_of_an_engine(knockon: Knockon) -> None:
    put_deployment("a/good.yaml", tp=4)
    Path("a/latin.yaml").write_bytes("args: [vllm, caf\xe9]\n".encode("latin-1"))
    Path("a/other.yaml").write_bytes("name: caf\xe9\n".encode("latin-1"))
    Path("a/nul.sh").write_bytes(b"vllm serve m\0\n")
    Path("a/wide.sh").write_text("vllm serve m\n", encoding="utf-16")
    Path("a/wide-without-mark.sh").write_text("vllm serve m\n", encoding="utf-16-le")
    Path("a/wide-other.sh").write_text("echo m\n", encoding="utf-16")
    with Path("a/huge.yaml").open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)
    os.mkfifo("a/pipe.yaml")

    done = knockon("check", "a", "--format", "json")

    assert done.code == 2
    assert {one["file"]: [row["at"] for row in one.get("unread", ())] for one in answers(done)} == {
        "a/good.yaml": [],
        "a/huge.yaml": [{"path": "a/huge.yaml", "line": 1, "column": 1}],
        "a/latin.yaml": [{"path": "a/latin.yaml", "line": 1, "column": 17}],
        "a/nul.sh": [{"path": "a/nul.sh", "line": 1, "column": 13}],
        "a/wide-without-mark.sh": [{"path": "a/wide-without-mark.sh", "line": 1, "column": 2}],
        "a/wide.sh": [{"path": "a/wide.sh", "line": 1, "column": 1}],
    }


def test_named_files_that_start_no_engine_are_left_out_where_asked(knockon: Knockon) -> None:
    put_deployment("good.yaml", tp=4)
    put("other.yaml", "some: thing\n")

    refused = knockon("check", "other.yaml", "good.yaml", "--format", "json")
    left_out = knockon("check", "other.yaml", "good.yaml", "--format", "json", "--skip-other-files")
    nothing = knockon("check", "other.yaml", "--format", "sarif", "--skip-other-files")

    assert (refused.code, left_out.code, nothing.code) == (2, 0, 0)
    assert [one["file"] for one in answers(left_out)] == ["good.yaml"]
    assert sarif(nothing)["results"] == []


def test_sides_of_a_disaggregated_pair_are_judged_together(knockon: Knockon) -> None:
    command = "python -m sglang.launch_server --model-path meta-llama/Llama-3.1-70B-Instruct --disaggregation-mode"
    put("pd/compose.yaml", f"services:\n  p:\n    command: {command} prefill --page-size 64\n")
    put("pd/run.sh", f"{command} decode --page-size 32\n")

    done = knockon("check", "pd", "--format", "json")

    found = {one["launch"]["name"]: [each["rule"] for each in one["findings"]] for one in answers(done)}
    assert found == {"p": [], "run.sh": ["K682", "K500"]}
    assert answers(done)[1]["findings"][0]["at"]["path"] == "pd/run.sh"


def test_value_of_an_options_file_is_refused_at_its_own_place(knockon: Knockon) -> None:
    put("deploy/run.sh", "vllm serve Qwen/Qwen3-8B --config serve.yaml\n")
    put("deploy/serve.yaml", "max-model-len: 4096\ngpu-memory-utilization: 1.5\n")

    done = knockon("check", "deploy", "--format", "json")

    (answer,) = answers(done)
    assert done.code == 1
    assert [each["at"] for each in answer["refused"]] == [{"path": "deploy/serve.yaml", "line": 2, "column": 25}]


def test_variables_beside_a_compose_file_are_read_and_a_missing_file_is_said(knockon: Knockon) -> None:
    put("a/compose.yaml", "services:\n  s:\n    env_file: no.env\n    command: vllm serve Qwen/Qwen3-8B -tp ${TP}\n")
    put("a/.env", "TP=2\n")

    for asked in ("a", "a/compose.yaml"):
        done = knockon("check", asked, "--format", "json", "--fail-on", "never")
        (answer,) = answers(done) if asked == "a" else [json.loads(done.out)]
        assert {each["name"]: each["value"] for each in answer["facts"]}["tensor_parallel_size"] == 2
        assert any("no.env is not among the files given" in note["en"] for note in answer["notes"])


def test_drop_in_of_a_folder_belongs_to_its_unit(knockon: Knockon) -> None:
    put("etc/m.service", "[Service]\nExecStart=vllm serve Qwen/Qwen3-8B -tp 2\n")
    put("etc/m.service.d/more.conf", "[Service]\nExecStart=\nExecStart=vllm serve Qwen/Qwen3-8B -tp 4\n")

    done = knockon("check", "etc", "--format", "json")

    (answer,) = answers(done)
    assert {each["name"]: each["value"] for each in answer["facts"]}["tensor_parallel_size"] == 4


def test_run_over_a_folder_asks_other_releases_only_when_it_is_told_to(knockon: Knockon, tmp_path: Path) -> None:
    folder = tmp_path / "launches"
    folder.mkdir()
    (folder / "run.sh").write_text("vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 8\n", encoding="utf-8")

    one, folders, told = (
        json.loads(knockon("check", *arguments, "--format", "json").out)
        for arguments in ((str(folder / "run.sh"),), (str(folder),), (str(folder), "--other-releases"))
    )

    assert one["other_releases"]
    assert [answer["other_releases"] for answer in folders["answers"]] == [[]]
    assert [answer["other_releases"] for answer in told["answers"]] == [one["other_releases"]]


def test_several_launches_of_one_file_ask_other_releases_only_when_they_are_told_to(
    knockon: Knockon, tmp_path: Path
) -> None:
    file = tmp_path / "run.sh"
    file.write_text("vllm serve Qwen/Qwen3-235B-A22B -tp 8 -dcp 4\n" * 2, encoding="utf-8")

    runs = [
        json.loads(knockon("check", *arguments, "--format", "json").out)["answers"]
        for arguments in ((str(file),), (str(file), "--other-releases"))
    ]
    told = [[answer["other_releases"] for answer in answers] for answers in runs]

    assert told[0] == [[], []]
    assert all(told[1])


def test_folder_that_may_not_be_read_is_told_and_the_rest_is_answered(knockon: Knockon, monkeypatch: Any) -> None:
    Path("good").mkdir()
    Path("good", "a.sh").write_text("vllm serve Qwen/Qwen3-8B\n", encoding="utf-8")
    Path("good", "shut").mkdir()
    real = os.scandir

    def guarded(path: Any) -> Any:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    # Whoever runs the tests may be allowed to read everything.
    monkeypatch.setattr("os.scandir", guarded)
    done = knockon("check", "good", "--format", "json")

    answers = json.loads(done.out)["answers"]
    assert [one["file"] for one in answers] == ["good/a.sh", "good/shut"]
    assert (done.code, answers[1]["verdict"]) == (2, "unknown")


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("", "the path is empty"),
        ("a" * 5000, "cannot be read: File name too long"),
        ("circle", "cannot be read: Too many levels of symbolic links"),
        ("circle/below", "cannot be read: Too many levels of symbolic links"),
    ],
)
def test_path_that_leads_nowhere_is_bad_input(knockon: Knockon, path: str, says: str) -> None:
    Path("circle").symlink_to("circle")

    done = knockon("check", path)

    assert done.code == 2
    assert says in done.err
