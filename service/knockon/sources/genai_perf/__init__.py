"""Exports of genai-perf."""
