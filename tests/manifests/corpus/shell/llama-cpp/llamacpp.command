nohup ./build/bin/llama-server -m models/qwen3-8b-q4_k_m.gguf -c 16384 -ngl 99 --parallel 4 > server.log &
