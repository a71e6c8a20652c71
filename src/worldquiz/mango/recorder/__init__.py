"""Mazes recorded from Z-machine games by playing them in a process of their own."""
