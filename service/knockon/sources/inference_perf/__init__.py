"""Results of inference-perf: what the client saw, and what the server's metrics said meanwhile."""
