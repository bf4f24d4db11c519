"""The verbs, each a module named as it is typed."""
