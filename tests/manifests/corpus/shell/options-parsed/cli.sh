#!/usr/bin/env bash
MODEL="Qwen/Qwen3-4B"
TP=1
while [[ $# -gt 0 ]]; do
  case "$1" in
    --model) MODEL="$2"; shift 2 ;;
    --tp) TP="$2"; shift 2 ;;
    *) echo "unknown option: $1"; exit 1 ;;
  esac
done
echo "starting vllm serve $MODEL"
vllm serve "$MODEL" --tensor-parallel-size "$TP"
