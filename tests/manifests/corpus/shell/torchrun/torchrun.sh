torchrun --standalone --nproc-per-node 8 -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp 8
