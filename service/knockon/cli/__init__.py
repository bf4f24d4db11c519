"""The command line: one file per verb, one per kind of answer."""
