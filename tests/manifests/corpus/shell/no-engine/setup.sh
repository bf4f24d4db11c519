#!/bin/bash
pip install "vllm==0.11.0"
echo "now run: vllm serve MODEL"
