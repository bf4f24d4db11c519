"""Scrapes of `/metrics` in the Prometheus text format; which metric is which reading is data, in exporters/."""
