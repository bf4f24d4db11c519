"""Shell scripts and command lines."""
