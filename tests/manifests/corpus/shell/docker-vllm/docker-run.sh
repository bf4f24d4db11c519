docker run -d --name llm --runtime nvidia --gpus '"device=0,1,2,3"' \
    -v ~/.cache/huggingface:/root/.cache/huggingface \
    --env "HUGGING_FACE_HUB_TOKEN=$HF_TOKEN" -e VLLM_USE_DEEP_GEMM=1 \
    -p 8000:8000 --ipc=host --shm-size 16g \
    vllm/vllm-openai:v0.11.0 \
    --model Qwen/Qwen2.5-72B-Instruct-AWQ --quantization awq_marlin -tp 4
