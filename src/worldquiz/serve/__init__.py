"""Worlds as tools, so that agents that call tools can take a benchmark without Python code."""
