"""Diagnose rules as alerts of a Prometheus: what a rule asks of the metrics of one engine, written, and proved."""
