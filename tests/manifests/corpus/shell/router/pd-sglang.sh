#!/bin/bash
COMMON="--model-path Qwen/Qwen3-32B --disaggregation-transfer-backend nixl --mem-fraction-static 0.85"
for rank in 0; do
python -m sglang.launch_server $COMMON --disaggregation-mode prefill --tp 2 --base-gpu-id $rank --port 30001 &
done
python -m sglang.launch_server $COMMON --disaggregation-mode decode --tp 2 --base-gpu-id 2 --port 30002 &
python -m sglang_router.launch_router --pd-disaggregation --prefill http://127.0.0.1:30001 --decode http://127.0.0.1:30002
