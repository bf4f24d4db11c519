#!/bin/bash
source ./serving.env
vllm serve "$MODEL_NAME" --tensor-parallel-size "$TENSOR_PARALLEL" --dtype ${DTYPE:-auto} ${EXTRA_FLAGS}
