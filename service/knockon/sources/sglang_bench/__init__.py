"""Results of `python -m sglang.bench_serving`."""
