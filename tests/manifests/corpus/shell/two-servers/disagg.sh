#!/bin/bash
MODEL=meta-llama/Llama-3.1-8B-Instruct

CUDA_VISIBLE_DEVICES=0 vllm serve $MODEL --port 8100 --max-model-len 8192 \
  --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_producer"}' &
CUDA_VISIBLE_DEVICES=1 vllm serve $MODEL --port 8200 --max-model-len 8192 \
  --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_consumer"}' &

wait_for() { until curl -s "localhost:$1/health" > /dev/null; do sleep 1; done; }
wait_for 8100 && wait_for 8200
python3 proxy.py --prefill 8100 --decode 8200
