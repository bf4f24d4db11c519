#!/usr/bin/env bash
set -euo pipefail

# Eight cards, full context.
vllm serve meta-llama/Llama-3.3-70B-Instruct \
  --tensor-parallel-size 8 \
  --gpu-memory-utilization=0.92 \
  --served-model-name "llama-3.3" 'llama' \
  --rope-scaling '{"rope_type": "yarn", "factor": 4.0}' \
  2>&1 | tee /var/log/vllm.log
