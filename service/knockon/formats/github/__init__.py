"""Workflow commands of GitHub Actions, shown as annotations of the changed lines."""
