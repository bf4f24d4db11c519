"""Answers as the contract's data for programs and as a page for people."""
