vllm serve Qwen/Qwen3-32B --tensor-parallel-size 4 --max-model-len 32768
