"""Markdown: for a pull request, an issue or a page."""
