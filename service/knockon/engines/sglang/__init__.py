"""SGLang: `sglang serve` and `python -m sglang.launch_server`."""
