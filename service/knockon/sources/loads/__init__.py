"""Tables of readings with a column of loads: what was measured at each load of a sweep."""
