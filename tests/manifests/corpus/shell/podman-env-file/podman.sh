podman run --rm --device nvidia.com/gpu=all --env-file=./vllm.env --security-opt=label=disable \
  registry.redhat.io/rhaiis/vllm-cuda-rhel9:3.2 --model RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic --tensor-parallel-size 2
