#!/bin/bash
cat > /tmp/extra-llm-api-config.yml <<EOF
enable_attention_dp: true
kv_cache_config:
  dtype: fp8
  free_gpu_memory_fraction: 0.8
cuda_graph_config:
  max_batch_size: 128
EOF

mpirun -n 8 --allow-run-as-root --oversubscribe \
  trtllm-llmapi-launch trtllm-serve deepseek-ai/DeepSeek-R1 --backend pytorch \
  --tp_size 8 --ep_size 8 --extra_llm_api_options /tmp/extra-llm-api-config.yml
