"""Mazes recorded from Z-machine games by playing them in a separate process."""
