vllm serve ${MODEL_PATH} --tensor-parallel-size $NUM_GPUS --max-model-len=$LEN --enforce-eager $VLLM_EXTRA_ARGS \
  --kv-transfer-config "{\"kv_connector\":\"NixlConnector\",\"kv_role\":\"kv_both\",\"kv_ip\":\"$POD_IP\"}" --seed 7
