"""vLLM: `vllm serve`, its API server module and its container image."""
