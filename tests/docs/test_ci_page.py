"""docs/ci.md: its console examples are run; the action and the hook do what it says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.data import read_yaml
from tests.docs.console import difference, environment, examples, files, run
from tests.docs.documents import CHECKOUT, blocks

PAGE = (CHECKOUT / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION: dict[str, Any] = read_yaml(CHECKOUT / "action.yml")
(HOOK,) = read_yaml(CHECKOUT / ".pre-commit-hooks.yaml")
WAIVERS = "knockon.waivers.yaml"


@pytest.mark.parametrize("index", range(len(blocks(PAGE, "console"))))
def test_console_example_says_what_the_page_says(index: int, home: Path, tmp_path: Path) -> None:
    asked = examples(blocks(PAGE, "console")[index])
    is_waived = "waived until" in blocks(PAGE, "console")[index]
    for name, content in files(PAGE):
        if name != WAIVERS or is_waived:
            (tmp_path / name).write_text(content, encoding="utf-8")

    outputs = run([one.command for one in asked], folder=tmp_path, environment=environment(home, "C.UTF-8"))

    for example, output in zip(asked, outputs, strict=True):
        wrong = difference(example.expected, output)
        assert not wrong, f"$ {example.command}\n{wrong}"


def test_action_names_only_inputs_and_steps_it_has() -> None:
    text = (CHECKOUT / "action.yml").read_text(encoding="utf-8")
    steps = ACTION["runs"]["steps"]

    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    assert set(re.findall(r"steps\.([\w-]+)\.", text)) == {step["id"] for step in steps if "id" in step}
    # What is put into a script's text would be run.
    assert [step["name"] for step in steps if "${{" in step.get("run", "")] == []


def acted(folder: Path, home: Path, **inputs: str) -> tuple[int, dict[str, str], str]:
    """Run the action's own steps: exit code, outputs, what was said."""
    steps = {step["name"]: step for step in ACTION["runs"]["steps"]}
    given = {name: entry["default"] for name, entry in ACTION["inputs"].items()} | inputs
    (folder / "temp").mkdir()
    (folder / "temp" / "knockon").symlink_to(Path(sys.executable).parent.parent)
    outputs = folder / "outputs"
    variables = {
        name: given[re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", r"\1", value)]
        for name, value in steps["Check"]["env"].items()
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps["Check"]["run"]],
        cwd=folder,
        env={
            **environment(home, "C.UTF-8"), **variables, "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        },
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    said = dict(line.split("=", 1) for line in outputs.read_text(encoding="utf-8").splitlines())
    verdict = subprocess.run(
        ["bash", "-c", steps["Verdict"]["run"]], env={**os.environ, "CODE": said["exit-code"]}, check=False
    )
    return verdict.returncode, said, done.stdout


def test_action_fails_on_a_conflict_and_leaves_log_annotations_and_summary(home: Path, tmp_path: Path) -> None:
    (tmp_path / "qwen.yaml").write_text(dict(files(PAGE))["qwen.yaml"], encoding="utf-8")

    code, said, annotations = acted(tmp_path, home, paths="qwen.yaml\n", arguments="--gpu=H100\n")

    assert (code, said) == (1, {"exit-code": "1"})
    log = json.loads((tmp_path / "knockon.sarif").read_text(encoding="utf-8"))
    assert "K004" in {result["ruleId"] for result in log["runs"][0]["results"]}
    assert annotations.startswith("::error file=qwen.yaml,")
    assert "K004" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_action_runs_nothing_of_what_its_inputs_say(home: Path, tmp_path: Path) -> None:
    (tmp_path / "qwen.yaml").write_text(dict(files(PAGE))["qwen.yaml"], encoding="utf-8")

    code, said, _ = acted(tmp_path, home, paths="qwen.yaml\n$(touch owned)\n`touch owned`; touch owned")

    assert (code, said) == (2, {"exit-code": "2"})
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    ("path", "is_taken"),
    [
        ("deploy/qwen.yaml", True), ("compose.yml", True), ("run.sh", True), ("vllm.service", True),
        ("Dockerfile", True), ("docker/Dockerfile.vllm", True), ("llama.dockerfile", True), ("pod.json", True),
        ("README.md", False), ("main.py", False), ("Dockerfiles/notes.txt", False),
    ],
)  # fmt: skip
def test_hook_takes_the_files_that_may_hold_a_launch(path: str, is_taken: bool) -> None:
    assert (re.search(HOOK["files"], path) is not None) is is_taken


def test_hook_passes_over_what_starts_no_engine(home: Path, tmp_path: Path) -> None:
    (tmp_path / "qwen.yaml").write_text(dict(files(PAGE))["qwen.yaml"], encoding="utf-8")
    (tmp_path / "other.yaml").write_text("some: thing\n", encoding="utf-8")

    others, all_files = run(
        [f"{HOOK['entry']} other.yaml; echo $?", f"{HOOK['entry']} other.yaml qwen.yaml; echo $?"],
        folder=tmp_path, environment=environment(home, "C.UTF-8"),
    )  # fmt: skip

    assert others.splitlines()[-1] == "0"
    assert all_files.splitlines()[-1] == "1"
    assert "K004" in all_files
