#!/bin/bash
for host in gpu-01 gpu-02; do
  ssh "$host" "cd /srv && nohup env VLLM_LOGGING_LEVEL=DEBUG vllm serve zai-org/GLM-4.5-Air -tp 4 --enable-expert-parallel > vllm.log 2>&1 &"
done
