"""The catalog as an immutable value, and the answers that need nothing else: locate, breaks, place. Pure."""
