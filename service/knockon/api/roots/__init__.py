"""The roots of the API, one short function each."""
