#!/bin/zsh
conda run --no-capture-output -n vllm numactl --cpunodebind=0 --membind=0 vllm serve Qwen/Qwen3-30B-A3B -tp 2
uv run --with vllm==0.12.0 python -m vllm.entrypoints.openai.api_server --model Qwen/Qwen3-1.7B
timeout 3600 nice -n 5 sglang serve --model-path Qwen/Qwen3-8B --attention-backend fa3
