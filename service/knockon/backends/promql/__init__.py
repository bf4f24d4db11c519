"""The back-end that writes: conditions as PromQL, for alerts that run where the metrics are."""
