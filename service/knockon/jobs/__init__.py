"""The questions, one file each, with their input and output: the table of contents of what Knock-on answers."""
