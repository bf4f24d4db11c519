#!/bin/bash
MODEL=${MODEL:-mistralai/Mixtral-8x7B-Instruct-v0.1}
TP=${TP:-2}
: "${PORT:=8000}"
export VLLM_ATTENTION_BACKEND=FLASHINFER
export HF_HOME=/data/hf

python3 -m vllm.entrypoints.openai.api_server \
    --model "$MODEL" \
    --tensor-parallel-size "${TP}" \
    --port ${PORT:-8000} \
    --max-num-seqs ${MAX_SEQS:-$((TP * 64))}
