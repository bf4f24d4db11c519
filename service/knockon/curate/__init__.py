"""Curation: the YAML trees of catalog and rules, read strictly, checked whole, every complaint with path:line:col."""
