"""Mazes of a folder: chosen, counted, checked, recorded."""
