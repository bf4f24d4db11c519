"""`python -m knockon` is the same as `knockon`."""

from knockon.cli.main import program

program()
