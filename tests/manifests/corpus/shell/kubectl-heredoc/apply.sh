#!/usr/bin/env bash
NAMESPACE=${1:-llm}
cat <<EOF | kubectl apply -n $NAMESPACE -f -
apiVersion: apps/v1
kind: Deployment
metadata:
  name: phi
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: vllm
          image: vllm/vllm-openai:v0.10.2
          args: ["--model", "microsoft/phi-4", "--max-model-len", "16384"]
          resources:
            limits: {nvidia.com/gpu: 1}
EOF
