"""JSON: the contract other programs rely on."""
