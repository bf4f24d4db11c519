"""The language: text to nodes, checked against the vocabulary. Pure; nothing here runs an expression."""
