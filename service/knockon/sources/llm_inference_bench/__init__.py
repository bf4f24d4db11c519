"""Published tables of LLM-Inference-Bench."""
