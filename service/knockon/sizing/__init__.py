"""Sizing: how many bytes a deployment's weights and KV cache take, and what fits. Pure arithmetic, no guess."""
