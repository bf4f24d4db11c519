"""Files that start an engine, and what check says of many of them."""

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Done

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  template:
    spec:
      nodeSelector: {{nvidia.com/gpu.product: NVIDIA-H200}}
      containers:
        - name: server
          image: vllm/vllm-openai:v0.33.0
          args:
            - --model=Qwen/Qwen3-235B-A22B
            - --tensor-parallel-size={tp}
            - --decode-context-parallel-size={dcp}
          resources: {{limits: {{nvidia.com/gpu: 8}}}}
"""
BROKEN = "apiVersion: v1\nkind: Pod\n# vllm\nspec: [\n"


def put(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def put_deployment(path: str, *, name: str = "qwen", tp: int = 8, dcp: int = 1) -> None:
    put(path, DEPLOYMENT.format(name=name, tp=tp, dcp=dcp))


def answers(done: Done) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = json.loads(done.out)["answers"]
    return said


def sarif(done: Done) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(done.out)["runs"][0]
    return run
