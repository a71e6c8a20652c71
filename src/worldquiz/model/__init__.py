"""Frozen values and pure functions: what every other floor speaks of."""
