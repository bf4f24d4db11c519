#!/bin/bash
vllm serve a/b \
  --tensor-parallel-size 2 \
  --port 8000
