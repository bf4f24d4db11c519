"""Kubernetes resources, the values of the charts that make them, and Ray Serve configurations."""
