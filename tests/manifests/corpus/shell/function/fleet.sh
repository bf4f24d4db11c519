#!/bin/bash
launch() {
  local model=$1 gpus=$2 port=$3
  CUDA_VISIBLE_DEVICES=$gpus vllm serve "$model" --port "$port" --enable-prefix-caching
}

launch Qwen/Qwen3-8B 0 8001 &
launch Qwen/Qwen3-14B 1,2 8002 &
wait
