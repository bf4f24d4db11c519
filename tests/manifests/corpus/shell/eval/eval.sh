CMD="vllm serve facebook/opt-125m --max-num-seqs 16"
CMD="$CMD --enforce-eager"
CMD+=" --disable-log-requests"
eval "$CMD"
