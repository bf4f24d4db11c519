#!/bin/bash
vllm serve Qwen/Qwen3-8B --served-model-name "qwen
