"""The Prometheus HTTP API, which Thanos and Mimir speak too."""
