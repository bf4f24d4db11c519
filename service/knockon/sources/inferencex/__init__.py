"""Results of InferenceX: benchmark_serving's fields, in seconds."""
