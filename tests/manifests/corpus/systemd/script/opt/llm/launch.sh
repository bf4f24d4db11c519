exec trtllm-serve /opt/llm/model --backend pytorch "$@"
