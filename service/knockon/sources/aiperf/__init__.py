"""Exports of AIPerf."""
