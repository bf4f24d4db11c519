"""Thresholds from a user's own measurements: what is usual in a healthy history, where a load sweep has its knee."""
