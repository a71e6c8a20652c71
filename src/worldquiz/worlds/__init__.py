"""Worlds that can be played, and the ways to make them."""
