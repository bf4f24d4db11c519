#!/usr/bin/env bash
GPUS=$(nvidia-smi -L | wc -l)
QUANT=
if [ "$GPUS" -ge 8 ]; then
  TP=8
else
  TP=4
fi
case "$1" in
  fp8) QUANT="--quantization fp8" ;;
  awq) QUANT="--quantization awq" ;;
  *) ;;
esac
vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size $TP --max-model-len 40960 $QUANT
