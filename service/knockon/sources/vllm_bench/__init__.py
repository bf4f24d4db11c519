"""Results of `vllm bench serve` and of benchmark_serving.py before it."""
