"""Text Generation Inference: `text-generation-launcher`."""
