"""TensorRT-LLM: `trtllm-serve` with its YAML options file."""
