"""The shape of every kind of thing in the YAML trees, one module per kind."""
