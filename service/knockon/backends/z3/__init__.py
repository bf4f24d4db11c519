"""Proofs about conditions: what can hold together, with values on which it does."""
