"""Knock-on: a knowledge base and rule engine that shows where the cost of an optimization lands."""
