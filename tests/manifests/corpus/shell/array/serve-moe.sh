#!/usr/bin/env bash
ARGS=(
  --model deepseek-ai/DeepSeek-V3
  --trust-remote-code
  --tensor-parallel-size 8   # one node
  --max-model-len 16384
)
if [[ "${FP8_KV:-0}" == "1" ]]; then
  ARGS+=(--kv-cache-dtype fp8)
fi
ARGS+=("--gpu-memory-utilization" "0.95")
exec python -m vllm.entrypoints.openai.api_server "${ARGS[@]}" "$@"
