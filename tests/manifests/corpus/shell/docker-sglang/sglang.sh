docker run --gpus all --shm-size 32g -p 30000:30000 --rm -it \
  -v /models:/models --ipc=host lmsysorg/sglang:v0.5.3-cu126 \
  python3 -m sglang.launch_server --model-path /models/Qwen3-Next-80B-A3B \
    --tp 4 --context-length 65536 --host 0.0.0.0 --port 30000
