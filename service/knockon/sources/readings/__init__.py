"""Readings people write down themselves, as YAML or JSON."""
