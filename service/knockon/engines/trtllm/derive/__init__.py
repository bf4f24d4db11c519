"""What TensorRT-LLM makes of a deployment, by the part of its configuration."""
