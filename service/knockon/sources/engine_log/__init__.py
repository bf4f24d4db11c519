"""Log lines of a serving engine."""
