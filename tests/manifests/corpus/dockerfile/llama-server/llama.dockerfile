FROM ghcr.io/ggml-org/llama.cpp:server-cuda
ENV LLAMA_ARG_CTX_SIZE=8192
CMD ["-m", "/models/gemma.gguf", "--n-gpu-layers", "99"]
