"""Exploring for oneself: an agent plays, and is asked about the map of its own trajectory."""
