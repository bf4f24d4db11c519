source /usr/local/Ascend/ascend-toolkit/set_env.sh
export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7
export HCCL_BUFFSIZE=1024 VLLM_USE_V1=1
export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True

vllm serve /home/weights/Qwen3-235B-A22B-w8a8 \
--served-model-name qwen3 --quantization ascend \
--tensor-parallel-size 8 --enable-expert-parallel \
--additional-config '{"ascend_scheduler_config":{"enabled":true},"torchair_graph_config":{"enabled":false}}'
