"""How vLLM's configuration follows from flags, model and GPU, one module for each part of it."""
