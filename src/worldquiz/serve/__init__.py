"""Worlds as tools: agents that call tools take a benchmark without a line of Python."""
