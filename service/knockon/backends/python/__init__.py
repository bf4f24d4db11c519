"""The in-process back-end: a generated function for rulebooks, a walk over the nodes for single questions."""
