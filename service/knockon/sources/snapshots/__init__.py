"""Tables of readings with a column of times: CSV, JSON lines, a list in YAML."""
