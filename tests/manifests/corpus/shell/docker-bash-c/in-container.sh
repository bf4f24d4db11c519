#!/bin/sh
IMAGE=nvcr.io/nvidia/tensorrt-llm/release:1.2.0
docker run --rm --gpus=8 --ulimit memlock=-1 --entrypoint bash "$IMAGE" -lc "
  pip install -q hf_transfer
  HF_HUB_ENABLE_HF_TRANSFER=1 trtllm-serve nvidia/Llama-3.1-405B-Instruct-FP4 --tp_size 8 \\
      --max_batch_size 64 --kv_cache_free_gpu_memory_fraction 0.85
"
