"""Results of LLMPerf."""
