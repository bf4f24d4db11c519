"""Units of systemd and Podman."""
